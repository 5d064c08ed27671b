import { sessionStore } from '../storage'
import { getSession } from './session'

/** A request that creates or publishes something, without a response yet. */
export type PendingRequest = {
  key: string
  path: string
  headers: Record<string, string>
  body: string
  user: string
  at: number
}

const KEY = 'impasto.requests'
const MAX_AGE_MS = 15 * 60_000
const MAX_LENGTH = 64_000
const FORGET_AFTER_MS = 1000
/**
 * Stores a request in this tab before it is sent, so that a reload before its response sends it again with the same
 * idempotency key. Returns what to call when it has ended; `failed` without a response, as when the page is left.
 */
export async function rememberRequest(request: Request): Promise<((failed: boolean) => void) | null> {
  const path = new URL(request.url).pathname
  const key = request.headers.get('Idempotency-Key')
  if (key === null) return null
  const body = await request.clone().text()
  if (body.length > MAX_LENGTH) return null
  const names = ['Content-Type', 'Idempotency-Key', 'If-Match']
  const headers = Object.fromEntries(
    names.flatMap((name) => (request.headers.has(name) ? [[name, request.headers.get(name) ?? '']] : [])),
  )
  const user = getSession()?.subject ?? ''
  write([...pendingRequests(key), { key, path, headers, body, user, at: Date.now() }])
  return (failed) => {
    if (failed) setTimeout(() => forgetRequest(key), FORGET_AFTER_MS)
    else forgetRequest(key)
  }
}

export function forgetRequest(key: string): void {
  write(pendingRequests(key))
}

/** The requests of this user that have had no response, at most 15 minutes ago. */
export function pendingRequests(without = ''): PendingRequest[] {
  const kept = sessionStore.read<PendingRequest[]>(KEY)
  const user = getSession()?.subject ?? ''
  const since = Date.now() - MAX_AGE_MS
  return (Array.isArray(kept) ? kept : []).filter(
    (one) => one.key !== without && one.at > since && one.user === user,
  )
}

function write(requests: PendingRequest[]): void {
  sessionStore.write(KEY, requests.length > 0 ? requests : null)
}
