import { randomId } from '../ids'
import { ApiError } from './error'
import { authorizedFetch } from './fetch'

/** Configures the generated client: session token, own origin, and error responses thrown as ApiError. */
export function createClientConfig<Config extends object>(config?: Config) {
  return {
    ...(config as Config),
    baseUrl: window.location.origin,
    credentials: 'same-origin' as const,
    throwOnError: true,
    fetch: send,
  }
}

async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  if (request.method === 'POST' && !request.headers.has('Idempotency-Key')) {
    request.headers.set('Idempotency-Key', randomId())
  }
  const response = await authorizedFetch(request)
  if (!response.ok) throw await ApiError.from(response)
  return response
}
