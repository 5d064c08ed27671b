import { queryOptions } from '@tanstack/react-query'
import {
  identityChangePassword,
  identityConfirmForgotPassword,
  identityConfirmSignUp,
  identityForgotPassword,
  identityNewPassword,
  identityProviders,
  identityResendCode,
  identitySignIn,
  identitySignOut,
  identitySignUp,
} from '../api.gen/sdk.gen'
import type { Delivery, SignUp } from '../api.gen/types.gen'
import { queryClient } from '../query-client'
import { freshToken } from './refresh'
import { unwrap } from './request'
import { clearSession, type SessionAnswer, setSession } from './session'
import { type CurrentUser, currentUserQuery } from './users'

const throwOnError = true
const website = () => ({ website: window.location.origin })

export async function signUp(account: Pick<SignUp, 'username' | 'email' | 'password'>): Promise<Delivery> {
  const body = { ...account, client_metadata: website(), auto_sign_in: true }
  return (await logged(identitySignUp({ body, throwOnError }))).delivery
}

/** Confirms the address; true when that has signed the person in, too. */
export async function confirmSignUp(username: string, code: string): Promise<boolean> {
  const { session } = await logged(identityConfirmSignUp({ body: { username, code }, throwOnError }))
  if (session) startSession(session)
  return Boolean(session)
}

export async function resendCode(username: string): Promise<void> {
  await logged(identityResendCode({ body: { username }, throwOnError }))
}

/** Signs in, or answers the token of the challenge (a new password) that stands before it. */
export async function signIn(username: string, password: string): Promise<string | null> {
  const { session, challenge_token } = await logged(
    identitySignIn({ body: { username, password }, throwOnError }),
  )
  if (session) startSession(session)
  return session ? null : (challenge_token ?? null)
}

export async function answerChallenge(challengeToken: string, newPassword: string): Promise<void> {
  const body = { challenge_token: challengeToken, new_password: newPassword }
  startSession((await logged(identityNewPassword({ body, throwOnError }))).session)
}

export async function forgotPassword(username: string): Promise<void> {
  await logged(identityForgotPassword({ body: { username, client_metadata: website() }, throwOnError }))
}

export async function confirmForgotPassword(
  username: string,
  code: string,
  newPassword: string,
): Promise<void> {
  const body = { username, confirmation_code: code, new_password: newPassword }
  await logged(identityConfirmForgotPassword({ body, throwOnError }))
}

export async function changePassword(oldPassword: string, newPassword: string): Promise<void> {
  const body = { old_password: oldPassword, new_password: newPassword }
  await logged(identityChangePassword({ body, throwOnError }))
}

/** Signs out here and in every tab, even when the server cannot be told. */
export async function signOut(): Promise<void> {
  try {
    await logged(identitySignOut({ body: { everywhere: false }, throwOnError }))
  } finally {
    clearSession(true)
  }
}

/** The current user, or null when there is none or it cannot be had. */
export async function getCurrentUser(): Promise<CurrentUser | null> {
  try {
    return await queryClient.ensureQueryData(currentUserQuery)
  } catch (error) {
    console.error(error)
    return null
  }
}

/** The token of the session, or null when there is none or it cannot be had. */
export async function getSessionToken(): Promise<string | null> {
  try {
    return await freshToken()
  } catch (error) {
    console.error(error)
    return null
  }
}

/** The outside services that sign people in here, if any is set up. */
export const providersQuery = queryOptions({
  queryKey: ['identity', 'providers'],
  queryFn: ({ signal }) => unwrap(identityProviders({ signal, throwOnError })),
  staleTime: Number.POSITIVE_INFINITY,
})

/** A failure of the identity service is put in the console and goes on to whoever asked. */
async function logged<Data>(call: Promise<{ data: Data }>): Promise<Data> {
  try {
    return await unwrap(call)
  } catch (error) {
    console.error(error)
    throw error
  }
}

function startSession(session: SessionAnswer): void {
  queryClient.clear()
  setSession(session)
}
