import { queryOptions } from '@tanstack/react-query'
import {
  identityAcceptInvitation,
  identityChangePassword,
  identityConfirmForgotPassword,
  identityConfirmSignUp,
  identityForgotPassword,
  identityGetRegistration,
  identityNewPassword,
  identityPasskeySignIn,
  identityPasskeySignInOptions,
  identityProviders,
  identityReadInvitation,
  identityResendCode,
  identitySecondFactor,
  identitySecondFactorPasskeyOptions,
  identitySignIn,
  identitySignOut,
  identitySignUp,
} from '../api.gen/sdk.gen'
import type { Delivery, SecondFactorProof, SignInAnswer, SignUp } from '../api.gen/types.gen'
import { assertPasskey } from '../passkeys'
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

/** Who may create an account, as a sentence; empty if everyone may. */
export const registrationQuery = queryOptions({
  queryKey: ['identity', 'registration'],
  queryFn: ({ signal }) => unwrap(identityGetRegistration({ signal, throwOnError })),
})

/** The address that the token of an invitation is for. */
export function invitationQuery(token: string) {
  return queryOptions({
    queryKey: ['identity', 'invitation', token],
    queryFn: ({ signal }) => unwrap(identityReadInvitation({ body: { token }, signal, throwOnError })),
    retry: false,
  })
}

/** Creates the account of an invitation and signs in. */
export async function acceptInvitation(token: string, username: string, password: string): Promise<void> {
  const body = { token, username, password, client_metadata: website() }
  startSession((await logged(identityAcceptInvitation({ body, throwOnError }))).session)
}

/** Confirms the e-mail address; returns true if that also signs the user in. */
export async function confirmSignUp(username: string, code: string, token = ''): Promise<boolean> {
  const { session } = await logged(identityConfirmSignUp({ body: { username, code, token }, throwOnError }))
  if (session) startSession(session)
  return Boolean(session)
}

export async function resendCode(username: string): Promise<void> {
  await logged(identityResendCode({ body: { username }, throwOnError }))
}

export type { SecondFactorProof }

/** What is needed before a session starts: a new password, or a second factor. */
export type Challenge = { kind: 'new_password' | 'second_factor'; token: string; factors: string[] }

/** Signs in, or returns the pending challenge. */
export async function signIn(username: string, password: string): Promise<Challenge | null> {
  return started(await logged(identitySignIn({ body: { username, password }, throwOnError })))
}

/** Completes a sign-in with a second factor, or returns the next challenge. */
export async function showSecondFactor(token: string, proof: SecondFactorProof): Promise<Challenge | null> {
  const body = { challenge_token: token, proof }
  return started(await logged(identitySecondFactor({ body, throwOnError })))
}

/** Lets the user sign the challenge of a second factor with a passkey; null if the user cancels. */
export async function passkeyProof(token: string): Promise<SecondFactorProof | null> {
  const body = { challenge_token: token }
  const passkey = await assertPasskey(
    await logged(identitySecondFactorPasskeyOptions({ body, throwOnError })),
  )
  return passkey && { passkey }
}

/** Signs in with a passkey; does nothing if the user cancels. */
export async function signInWithPasskey(): Promise<void> {
  const body = await assertPasskey(await logged(identityPasskeySignInOptions({ throwOnError })))
  if (body) startSession((await logged(identityPasskeySignIn({ body, throwOnError }))).session)
}

function started({ session, challenge, challenge_token, factors }: SignInAnswer): Challenge | null {
  if (session) startSession(session)
  if (!challenge_token) return null
  const kind = challenge === 'second_factor_required' ? 'second_factor' : 'new_password'
  return { kind, token: challenge_token, factors: factors ?? [] }
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
  { token, proof }: { token?: string | undefined; proof?: SecondFactorProof | null } = {},
): Promise<void> {
  const body = {
    username,
    confirmation_code: code,
    new_password: newPassword,
    token,
    second_factor: proof ?? null,
  }
  await logged(identityConfirmForgotPassword({ body, throwOnError }))
}

export async function changePassword(
  oldPassword: string,
  newPassword: string,
  revokeApiKeys: boolean,
): Promise<void> {
  const body = { old_password: oldPassword, new_password: newPassword, revoke_api_keys: revokeApiKeys }
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
