// @vitest-environment jsdom
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest'
import { sessionFor, startBackend } from '@/test/backend'
import { queryClient } from '../query-client'
import { getCurrentUser, getSessionToken, signIn, signOut } from './identity'
import { clearSession, getSession, hasSignedOut, setSession } from './session'

const backend = startBackend()
let logged: MockInstance<typeof console.error>
beforeEach(() => {
  logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  queryClient.clear()
})
afterEach(() => clearSession())

const identity = (operation: string, body: object, status = 200) =>
  backend.use(http.post(`*/api/v1/identity/${operation}`, () => HttpResponse.json(body, { status })))

test('signing in starts a session', async () => {
  const session = sessionFor('mara')
  identity('sign-in', { session, challenge: null, challenge_token: null })
  await expect(signIn('mara', 'Cold-brew 1')).resolves.toBeNull()
  expect(getSession()).toMatchObject({ token: session.identity_token, subject: 'mara' })
})

test.each([
  ['new_password_required', null, { kind: 'new_password', token: 'c1', factors: [] }],
  ['second_factor_required', ['totp'], { kind: 'second_factor', token: 'c1', factors: ['totp'] }],
])('the challenge %s starts no session', async (challenge, factors, pending) => {
  identity('sign-in', { session: null, challenge, challenge_token: 'c1', factors })
  await expect(signIn('ada', 'Temporary 1')).resolves.toEqual(pending)
  expect(getSession()).toBeNull()
})

test('a failure is logged and rethrown', async () => {
  identity('sign-in', { detail: 'Invalid username or password.', code: 'invalid_credentials' }, 401)
  await expect(signIn('mara', 'Wrong-brew 1')).rejects.toThrow('Invalid username or password.')
  expect(logged).toHaveBeenCalledTimes(1)
})

test('signing out ends the session even if the server is unreachable', async () => {
  setSession(sessionFor('mara'))
  identity('sign-out', {}, 503)
  await expect(signOut()).rejects.toMatchObject({ status: 503 })
  expect(getSession()).toBeNull()
  expect(hasSignedOut()).toBe(true)
})

test('user and token are null if they cannot be fetched', async () => {
  backend.use(http.get('*/api/v1/users/me', () => HttpResponse.json({}, { status: 404 })))
  await expect(getCurrentUser()).resolves.toBeNull()
  setSession(sessionFor('mara', 10))
  identity('refresh', {}, 503)
  await expect(getSessionToken()).resolves.toBeNull()
  expect(logged).toHaveBeenCalledTimes(2)
})

test('an empty response is no user', async () => {
  backend.use(http.get('*/api/v1/users/me', () => HttpResponse.json(null)))
  await expect(getCurrentUser()).resolves.toBeNull()
  expect(logged.mock.calls[0]?.[0]).toMatchObject({ message: 'No data found' })
})
