import { randomId } from '../ids'
import { ApiError } from './error'
import { authorizedFetch } from './fetch'

/** Browsers refuse more than 64 KiB for all requests that outlive their page together. */
const MAX_KEEPALIVE_LENGTH = 8000

/**
 * Sends a request with the session token and, for a POST, an idempotency key. Throws an ApiError unless it succeeds. A
 * create is stored until it is answered, so that a reload sends it again.
 */
export async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = await withKeepalive(new Request(input, init))
  if (request.method === 'POST' && !request.headers.has('Idempotency-Key')) {
    request.headers.set('Idempotency-Key', randomId())
  }
  const ended = await remember(request)
  const response = await authorizedFetch(request).catch((error: unknown) => {
    ended?.(true)
    throw error
  })
  ended?.(false)
  if (!response.ok) throw await ApiError.from(response)
  return response
}

/** Requests with secrets, such as those for keys, are never stored. */
const REMEMBERED =
  /^\/api\/v1\/(flows|brands|collections|flows\/import|assets\/[^/]+\/versions|(flows|brands)\/[^/]+\/(publish|duplicate)|brands\/[^/]+\/regenerations)\/?$/

/** Stores a create until it is answered. The code loads with the first one. */
async function remember(request: Request): Promise<((failed: boolean) => void) | null> {
  if (request.method !== 'POST' || !REMEMBERED.test(new URL(request.url).pathname)) return null
  const load = import('./pending-requests')
  return load.then(({ rememberRequest }) => rememberRequest(request)).catch(() => null)
}

/** Lets a small POST (a create, Publish) reach the server even if the page is reloaded or closed at once. */
async function withKeepalive(request: Request): Promise<Request> {
  const type = request.headers.get('Content-Type')
  const isFile = type !== null && !type.startsWith('application/json')
  if (request.method !== 'POST' || request.keepalive || isFile) return request
  const body = await request.clone().text()
  return body.length < MAX_KEEPALIVE_LENGTH ? new Request(request, { keepalive: true }) : request
}
