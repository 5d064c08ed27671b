import { ApiError } from './error'
import { clearSession, getSession, reloadSession, type SessionAnswer, setSession } from './session'

/** A token is refreshed this long before it expires, so that no request is refused in transit. */
const EXPIRY_MARGIN = 60_000

let refreshInFlight: Promise<string | null> | null = null

/** The token to send, refreshed first if it is about to expire; null without a session. */
export async function freshToken(): Promise<string | null> {
  const session = getSession()
  if (!session) return null
  if (session.expires - Date.now() > EXPIRY_MARGIN) return session.token
  return renew(session.token)
}

/**
 * Refreshes the token `stale`, once for all concurrent callers in all tabs: the refresh cookie is valid for one
 * use, and a second use would end the session.
 */
export function renew(stale: string): Promise<string | null> {
  refreshInFlight ??= withRefreshLock(() => exchange(stale)).finally(() => {
    refreshInFlight = null
  })
  return refreshInFlight
}

/** Starts a session from a refresh cookie that was set outside this page; returns false if there is none. */
export async function adoptSession(): Promise<boolean> {
  return (await withRefreshLock(requestNewSession)) !== null
}

function withRefreshLock<T>(work: () => Promise<T>): Promise<T> {
  // Locks need a secure context; over plain HTTP the worst case is a second sign-in.
  return navigator.locks ? navigator.locks.request('impasto.refresh', work) : work()
}

async function exchange(stale: string): Promise<string | null> {
  const stored = reloadSession()
  if (!stored) return null
  return stored.token === stale ? requestNewSession() : stored.token
}

async function requestNewSession(): Promise<string | null> {
  const response = await fetch('/api/v1/identity/refresh', {
    method: 'POST',
    credentials: 'same-origin',
  }).catch(() => {
    throw ApiError.unreachable()
  })
  if (response.ok) {
    const { session } = (await response.json()) as { session: SessionAnswer }
    setSession(session)
    return session.identity_token
  }
  if (response.status < 500 && response.status !== 429) {
    clearSession()
    return null
  }
  throw await ApiError.from(response)
}
