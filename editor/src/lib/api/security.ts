import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  identityAddPasskey,
  identityBeginTotp,
  identityChangeEmail,
  identityConfirmChangeEmail,
  identityConfirmTotp,
  identityEndOneSession,
  identityEndOtherSessions,
  identityGetSecondFactors,
  identityListSessions,
  identityNewRecoveryCodes,
  identityPasskeyRegistrationOptions,
  identityRemovePasskey,
  identityRemoveTotp,
  identityRenamePasskey,
} from '../api.gen/sdk.gen'
import type { PasskeyInfo, SessionInfo, TotpSetup } from '../api.gen/types.gen'
import { createPasskey } from '../passkeys'
import { invalidate } from '../query-client'
import { unwrap } from './request'
import { refreshCurrentUser } from './users'

export type { PasskeyInfo, SessionInfo, TotpSetup }

const throwOnError = true
const SESSIONS = ['identity', 'sessions']
const FACTORS = ['identity', 'second-factors']

/** The active sessions of the user, newest first. */
export const sessionsQuery = infiniteQueryOptions({
  queryKey: SESSIONS,
  queryFn: ({ pageParam, signal }) =>
    unwrap(identityListSessions({ query: { cursor: pageParam, limit: 20 }, signal, throwOnError })),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
})

/** The authenticator app, the passkeys and the number of recovery codes of the user. */
export const secondFactorsQuery = queryOptions({
  queryKey: FACTORS,
  queryFn: ({ signal }) => unwrap(identityGetSecondFactors({ signal, throwOnError })),
})

export async function endSession(id: string): Promise<void> {
  await identityEndOneSession({ path: { session_id: id }, throwOnError })
  await invalidate({ queryKey: SESSIONS })
}

export async function endOtherSessions(): Promise<void> {
  await identityEndOtherSessions({ throwOnError })
  await invalidate({ queryKey: SESSIONS })
}

/** Sends a code to a new e-mail address; `confirmEmail` makes it the user's address. */
export async function changeEmail(email: string, password: string): Promise<void> {
  await unwrap(identityChangeEmail({ body: { email, password }, throwOnError }))
}

/** `token` is that of the e-mail's link, if the code came with one. */
export async function confirmEmail(email: string, code: string, token = ''): Promise<void> {
  await unwrap(identityConfirmChangeEmail({ body: { email, code, token }, throwOnError }))
  await refreshCurrentUser()
}

/** Creates the secret of a new authenticator app; signing in asks for it after `confirmTotp`. */
export function beginTotp(password: string): Promise<TotpSetup> {
  return unwrap(identityBeginTotp({ body: { password }, throwOnError }))
}

/** Confirms the new app; returns recovery codes if there were none. */
export async function confirmTotp(code: string): Promise<string[] | null> {
  const { recovery_codes } = await unwrap(identityConfirmTotp({ body: { code }, throwOnError }))
  await changed()
  return recovery_codes
}

export async function removeTotp(password: string): Promise<void> {
  await identityRemoveTotp({ body: { password }, throwOnError })
  await changed()
}

export async function newRecoveryCodes(password: string): Promise<string[] | null> {
  const { recovery_codes } = await unwrap(identityNewRecoveryCodes({ body: { password }, throwOnError }))
  await changed()
  return recovery_codes
}

/**
 * Lets the user create a passkey. Returns recovery codes if there were none, else null; undefined if the user
 * cancels.
 */
export async function addPasskey(password: string, name: string): Promise<string[] | null | undefined> {
  const options = await unwrap(identityPasskeyRegistrationOptions({ body: { password }, throwOnError }))
  const made = await createPasskey(options)
  if (!made) return undefined
  const { recovery_codes } = await unwrap(identityAddPasskey({ body: { ...made, name }, throwOnError }))
  await changed()
  return recovery_codes
}

export async function renamePasskey(id: string, name: string): Promise<void> {
  await identityRenamePasskey({ path: { passkey_id: id }, body: { name }, throwOnError })
  await changed()
}

export async function removePasskey(id: string, password: string): Promise<void> {
  await identityRemovePasskey({ path: { passkey_id: id }, body: { password }, throwOnError })
  await changed()
}

async function changed(): Promise<void> {
  await invalidate({ queryKey: FACTORS })
}
