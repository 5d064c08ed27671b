import { useSyncExternalStore } from 'react'
import { localStore } from '../storage'

/** What the identity service hands out: a signed token for a quarter of an hour. The refresh token is a cookie that no script sees. */
export type SessionAnswer = { identity_token: string; expires_at: string }

type Session = {
  token: string
  /** Whose it is. */
  subject: string
  /** By this machine's own clock, in milliseconds. */
  expires: number
}

const KEY = 'impasto.session'
const listeners = new Set<() => void>()
let current: Session | null = localStore.read<Session>(KEY)
let signedOut = false

export function getSession(): Session | null {
  return current
}

/** Keeps a session for this and every other tab. */
export function setSession(answer: SessionAnswer): void {
  const claims = claimsOf(answer.identity_token)
  const lifetime = Number(claims.exp) - Number(claims.iat)
  setCurrent({
    token: answer.identity_token,
    subject: String(claims.sub ?? ''),
    // From the token's own claims: the two clocks need not agree on what time it is.
    expires: lifetime > 0 ? Date.now() + lifetime * 1000 : new Date(answer.expires_at).getTime(),
  })
  localStore.write(KEY, current)
}

/** Forgets the session here and in every other tab; `wanted` when the person asked for it. */
export function clearSession(wanted = false): void {
  signedOut = wanted
  localStore.write(KEY, null)
  setCurrent(null)
}

/** Takes over what another tab kept in the meantime. */
export function reloadSession(): Session | null {
  const stored = localStore.read<Session>(KEY)
  if (stored?.token !== current?.token) setCurrent(stored)
  return current
}

/** Whether the last session of this tab ended because the person signed out here. */
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
