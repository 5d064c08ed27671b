import { isApiError } from '../api/error'
import { type Run, startRun } from '../api/runs'
import { getSession } from '../api/session'
import type { RunRequest } from '../api.gen/types.gen'
import { randomId } from '../ids'
import { sessionStore } from '../storage'

/** A launch from a form, or of the open canvas. */
export type PendingLaunch =
  | { kind: 'form'; key: string; flowId: string; body: RunRequest }
  | { kind: 'canvas'; key: string; order: Readonly<Record<string, unknown>> }

type Stored = { launch: PendingLaunch; page: string; user: string; at: number }

const KEY = 'impasto.launches'
const MAX_AGE_MS = 15 * 60_000
const FORGET_AFTER_MS = 1000

/**
 * Stores a launch in this tab before it is sent, so that a reload before the response continues it with the same
 * idempotency key. Returns the key.
 */
export function rememberLaunch(launch: PendingLaunch): string {
  const user = getSession()?.subject ?? ''
  write([...stored(launch.key), { launch, page: window.location.pathname, user, at: Date.now() }])
  return launch.key
}

export function forgetLaunch(key: string): void {
  write(stored(key))
}

/**
 * Forgets a launch whose request has failed. Without a response the page may be about to unload, which aborts its
 * requests: then the launch is kept for the reloaded page.
 */
export function forgetFailedLaunch(key: string, error: unknown): void {
  if (isApiError(error) && error.status > 0) forgetLaunch(key)
  else setTimeout(() => forgetLaunch(key), FORGET_AFTER_MS)
}

/** The launch of this kind that the page of this address has sent without a response, at most 15 minutes ago. */
export function findPendingLaunch<Kind extends PendingLaunch['kind']>(
  kind: Kind,
): Extract<PendingLaunch, { kind: Kind }> | null {
  const user = getSession()?.subject ?? ''
  const found = stored().find(
    (one) => one.launch.kind === kind && one.page === window.location.pathname && one.user === user,
  )
  return (found?.launch as Extract<PendingLaunch, { kind: Kind }> | undefined) ?? null
}

/** Launches an agent; a reload before the response continues the launch. */
export async function startPendingLaunch(
  flowId: string,
  body: RunRequest,
  key: string = randomId(),
): Promise<Run> {
  rememberLaunch({ kind: 'form', key, flowId, body })
  try {
    const run = await startRun(flowId, body, key)
    forgetLaunch(key)
    return run
  } catch (error) {
    forgetFailedLaunch(key, error)
    throw error
  }
}

function stored(without = ''): Stored[] {
  const kept = sessionStore.read<Stored[]>(KEY)
  const since = Date.now() - MAX_AGE_MS
  return (Array.isArray(kept) ? kept : []).filter(({ launch, at }) => launch.key !== without && at > since)
}

function write(launches: Stored[]): void {
  sessionStore.write(KEY, launches.length > 0 ? launches : null)
}
