import { randomId } from '../ids'
import { ApiError } from './error'
import { authorizedFetch } from './fetch'
import { withKeepalive } from './keepalive'

/**
 * Sends a request with the session token and, for a POST, an idempotency key. Throws an ApiError unless it succeeds. A
 * create is stored until it is answered, so that a reload sends it again.
 */
export async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const [request, release] = await withKeepalive(new Request(input, init))
  if (request.method === 'POST' && !request.headers.has('Idempotency-Key')) {
    request.headers.set('Idempotency-Key', randomId())
  }
  const ended = await remember(request)
  let response: Response
  try {
    response = await authorizedFetch(request)
  } catch (error) {
    ended?.(error)
    throw error
  } finally {
    release()
  }
  ended?.(null)
  if (!response.ok) throw await ApiError.from(response)
  return response
}

/** Requests with secrets, such as those for keys, are never stored. */
const REMEMBERED =
  /^\/api\/v1\/(flows|brands|collections|flows\/import|assets\/[^/]+\/versions|(flows|brands)\/[^/]+\/(publish|duplicate)|brands\/[^/]+\/regenerations)\/?$/

/** Stores a create until it is answered. The code loads with the first one. */
async function remember(request: Request): Promise<((error: unknown) => void) | null> {
  if (request.method !== 'POST' || !REMEMBERED.test(new URL(request.url).pathname)) return null
  const load = import('./pending-requests')
  return load.then(({ rememberRequest }) => rememberRequest(request)).catch(() => null)
}
