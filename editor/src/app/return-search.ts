/** What the pages before the session know from their address. */
export type SignInSearch = {
  /** Where to go after signing in. */
  next?: string | undefined
  /** Back from an outside service, with a session in the cookie. */
  arrived?: boolean | undefined
  /** Back from an outside service, with nothing. */
  failed?: 'oidc' | undefined
}

export function signInSearch(search: Record<string, unknown>): SignInSearch {
  return {
    ...returnSearch(search),
    ...(search.arrived === true && { arrived: true }),
    ...(search.failed === 'oidc' && { failed: 'oidc' }),
  }
}

/** Only where to go after signing in. */
export function returnSearch(search: Record<string, unknown>): { next?: string | undefined } {
  return typeof search.next === 'string' ? { next: search.next } : {}
}
