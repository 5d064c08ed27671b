import { send } from './send'

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
