import { ApiError, SessionInvalid } from './error'
import { takeFirstData } from './first-data'
import { freshToken, renew } from './refresh'
import { clearSession } from './session'

/**
 * `fetch` with the bearer token of the session. A refused token is refreshed once and the request repeated; without
 * a session the request is sent without a token.
 */
export async function authorizedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  const token = await freshToken()
  const response = (await takeFirstData(request, token)) ?? (await send(request.clone(), token))
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
    // A session that no request can carry has ended: the page of signing in opens.
    clearSession()
    throw new SessionInvalid()
  }
}
