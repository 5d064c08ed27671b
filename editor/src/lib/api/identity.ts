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

/** Confirms the e-mail address; returns true if that also signs the user in. */
export async function confirmSignUp(username: string, code: string): Promise<boolean> {
  const { session } = await logged(identityConfirmSignUp({ body: { username, code }, throwOnError }))
  if (session) startSession(session)
  return Boolean(session)
}

export async function resendCode(username: string): Promise<void> {
  await logged(identityResendCode({ body: { username }, throwOnError }))
}

/** Signs in, or returns the token of the pending challenge (a new password). */
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

/** Signs out here and in every tab, even if the server is unreachable. */
export async function signOut(): Promise<void> {
  try {
    await logged(identitySignOut({ body: { everywhere: false }, throwOnError }))
  } finally {
    clearSession(true)
  }
}

/** The current user, or null if there is none or the request fails. */
export async function getCurrentUser(): Promise<CurrentUser | null> {
  try {
    return await queryClient.ensureQueryData(currentUserQuery)
  } catch (error) {
    console.error(error)
    return null
  }
}

/** The session token, or null if there is none or it cannot be refreshed. */
export async function getSessionToken(): Promise<string | null> {
  try {
    return await freshToken()
  } catch (error) {
    console.error(error)
    return null
  }
}

/** The OIDC providers that are configured for sign-in. */
export const providersQuery = queryOptions({
  queryKey: ['identity', 'providers'],
  queryFn: ({ signal }) => unwrap(identityProviders({ signal, throwOnError })),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Logs an error of the identity service and rethrows it. */
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
