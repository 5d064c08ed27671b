import { ApiError, SessionInvalid } from './error'
import { freshToken, renew } from './refresh'

/**
 * `fetch` with the session's bearer. A refused token is renewed once, silently, and the request sent again;
 * without a session the request goes out without one.
 */
export async function authorizedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  const token = await freshToken()
  const response = await send(request.clone(), token)
  if (response.status !== 401 || token === null) return response
  const renewed = await renew(token)
  return renewed === null ? response : send(request, renewed)
}

async function send(request: Request, token: string | null): Promise<Response> {
  if (token !== null) withBearerToken(request.headers, token)
  try {
    return await fetch(request)
  } catch (error) {
    if (request.signal.aborted) throw error
    throw ApiError.unreachable()
  }
}

function withBearerToken(headers: Headers, token: string): void {
  try {
    headers.set('Authorization', `Bearer ${token}`)
  } catch {
    throw new SessionInvalid()
  }
}
