import { forgetFailedWork, forgetWork, type PendingWork, pendingWork, rememberWork } from './pending-work'

/** A request that creates or publishes something, without a response yet. */
export type PendingRequest = PendingWork & {
  kind: 'request'
  path: string
  headers: Record<string, string>
  body: string
  at: number
}

/** Larger bodies do not fit into the storage of a tab beside others. */
const MAX_LENGTH = 2_000_000

/**
 * Stores a request before it is sent, so that a reload before its response sends it again. Returns what to call when
 * it has ended, with the error if there was no response, as when the page is left.
 */
export async function rememberRequest(request: Request): Promise<((error: unknown) => void) | null> {
  const path = new URL(request.url).pathname
  const key = request.headers.get('Idempotency-Key')
  if (key === null) return null
  const body = await request.clone().text()
  if (body.length > MAX_LENGTH) return null
  const names = ['Content-Type', 'Idempotency-Key', 'If-Match']
  const headers = Object.fromEntries(
    names.flatMap((name) => (request.headers.has(name) ? [[name, request.headers.get(name) ?? '']] : [])),
  )
  rememberWork<PendingRequest>({ kind: 'request', key, path, headers, body, at: Date.now() })
  return (error) => (error === null ? forgetWork(key) : forgetFailedWork(key, error))
}

/** The requests of this user that have had no response, at most 15 minutes ago. */
export function pendingRequests(): PendingRequest[] {
  return pendingWork<PendingRequest>('request').map(({ work }) => work)
}
