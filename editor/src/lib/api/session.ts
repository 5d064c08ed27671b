import { useSyncExternalStore } from 'react'
import { localStore } from '../storage'

/** A session of the identity service: an access token, valid for 15 minutes. The refresh token is an HttpOnly cookie. */
export type SessionAnswer = { identity_token: string; expires_at: string }

type Session = {
  token: string
  /** The user id. */
  subject: string
  /** Expiry by the clock of this machine, in milliseconds. */
  expires: number
}

const KEY = 'impasto.session'
const listeners = new Set<() => void>()
let current: Session | null = localStore.read<Session>(KEY)
let signedOut = false

export function getSession(): Session | null {
  return current
}

/** Stores a session for this and every other tab. */
export function setSession(answer: SessionAnswer): void {
  const claims = claimsOf(answer.identity_token)
  const lifetime = Number(claims.exp) - Number(claims.iat)
  setCurrent({
    token: answer.identity_token,
    subject: String(claims.sub ?? ''),
    // Uses the lifetime from the claims: the clocks of server and browser may differ.
    expires: lifetime > 0 ? Date.now() + lifetime * 1000 : new Date(answer.expires_at).getTime(),
  })
  localStore.write(KEY, current)
}

/** Removes the session here and in every other tab; `wanted` if the user signed out. */
export function clearSession(wanted = false): void {
  signedOut = wanted
  localStore.write(KEY, null)
  setCurrent(null)
}

/** Adopts the session that another tab has stored. */
export function reloadSession(): Session | null {
  const stored = localStore.read<Session>(KEY)
  if (stored?.token !== current?.token) setCurrent(stored)
  return current
}

/** Whether the last session of this tab ended because the user signed out here. */
export function hasSignedOut(): boolean {
  return signedOut
}

export function onSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useSignedIn(): boolean {
  return useSyncExternalStore(onSession, () => current !== null)
}

function setCurrent(session: Session | null): void {
  current = session
  if (session) signedOut = false
  for (const listener of listeners) listener()
}

function claimsOf(token: string): { sub?: unknown; exp?: unknown; iat?: unknown } {
  try {
    const claims = token.split('.')[1] ?? ''
    return JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/')))
  } catch {
    return {}
  }
}

window.addEventListener('storage', (event) => {
  if (event.key === KEY || event.key === null) reloadSession()
})
