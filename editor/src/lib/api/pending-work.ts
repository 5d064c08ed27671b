import { sessionStore } from '../storage'
import { isApiError } from './error'
import { getSession } from './session'

/** Work that was sent to the server and has no response yet; `key` is its idempotency key. */
export type PendingWork = { kind: string; key: string }

type Stored = { work: PendingWork; page: string; user: string; at: number }

export const PENDING_KEY = 'impasto.pending'
const MAX_AGE_MS = 15 * 60_000
const FORGET_AFTER_MS = 1000

/** Stores work in this tab before it is sent, so that a reload before its response continues it with the same key. */
export function rememberWork<Work extends PendingWork>(work: Work): void {
  const user = getSession()?.subject ?? ''
  write([...stored(work.key), { work, page: window.location.pathname, user, at: Date.now() }])
}

export function forgetWork(key: string): void {
  write(stored(key))
}

/**
 * Forgets work whose request has failed. Without a response the page may be about to unload, which aborts its
 * requests: then the work is kept for the reloaded page.
 */
export function forgetFailedWork(key: string, error: unknown): void {
  if (isApiError(error) && error.status > 0) forgetWork(key)
  else setTimeout(() => forgetWork(key), FORGET_AFTER_MS)
}

/** The user's work of a kind without a response, sent at most 15 minutes ago; `page` is the path that it was sent from. */
export function pendingWork<Work extends PendingWork>(
  kind: Work['kind'],
): { work: Work; page: string; at: number }[] {
  const user = getSession()?.subject ?? ''
  const own = stored().filter((one) => one.user === user && one.work.kind === kind)
  return own as unknown as { work: Work; page: string; at: number }[]
}

export function hasPendingWork(kind: string): boolean {
  return pendingWork(kind).length > 0
}

function stored(without = ''): Stored[] {
  const kept = sessionStore.read<Stored[]>(PENDING_KEY)
  const since = Date.now() - MAX_AGE_MS
  return (Array.isArray(kept) ? kept : []).filter(({ work, at }) => work.key !== without && at > since)
}

function write(items: Stored[]): void {
  sessionStore.write(PENDING_KEY, items.length > 0 ? items : null)
}
