// @vitest-environment jsdom
import { isNotFound, isRedirect, type ParsedLocation } from '@tanstack/react-router'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test } from 'vitest'
import { clearSession, setSession } from '@/lib/api/session'
import { expectOnboarding } from '@/lib/onboarding'
import { queryClient } from '@/lib/query-client'
import { sessionFor, startBackend } from '@/test/backend'
import {
  completeSignIn,
  requireAdmin,
  requireNoSession,
  requireSession,
  requireUnanswered,
} from './route-guards'

const backend = startBackend()
afterEach(() => {
  clearSession()
  queryClient.clear()
})

const at = (href: string) => ({ location: { href } as ParsedLocation })

/** The path to which a guard redirects; null when it does not. */
async function leads(guard: () => void | Promise<void>) {
  try {
    await guard()
    return null
  } catch (thrown) {
    if (!isRedirect(thrown)) throw thrown
    const { to, href, search } = thrown.options
    return { to: to ?? href, search: search as object | undefined }
  }
}

test('without a session, redirects to /login and keeps the target', async () => {
  expect(await leads(() => requireSession(at('/flow/7')))).toEqual({
    to: '/login',
    search: { next: '/flow/7' },
  })
  expect(await leads(() => requireSession(at('/')))).toEqual({ to: '/login', search: { next: undefined } })
})

test('after signing out, no target is kept', async () => {
  setSession(sessionFor('mara'))
  clearSession(true)
  expect(await leads(() => requireSession(at('/flow/7')))).toEqual({
    to: '/login',
    search: { next: undefined },
  })
})

test('with a session, the pages open and the sign-in pages redirect', async () => {
  setSession(sessionFor('mara'))
  expect(await leads(() => requireSession(at('/flow/7')))).toBeNull()
  expect(await leads(() => requireNoSession({ search: { next: '/flow/7' } }))).toMatchObject({
    to: '/flow/7',
  })
  expect(await leads(() => requireNoSession({ search: {} }))).toMatchObject({ to: '/' })
})

test('a user without onboarding answers is redirected to onboarding after signing in', async () => {
  backend.use(
    http.get('*/api/v1/users/me', () => HttpResponse.json({ id: 'u1', username: 'mara', info: null })),
  )
  expectOnboarding()
  setSession(sessionFor('mara'))
  expect(await leads(() => requireNoSession({ search: { next: '/flow/7' } }))).toEqual({
    to: '/onboarding/company',
    search: { next: '/flow/7' },
  })
  expect(await leads(() => requireNoSession({ search: { next: '/flow/7' } }))).toMatchObject({
    to: '/flow/7',
  })
})

test('an OIDC session skips the sign-in page', async () => {
  backend.use(
    http.post('*/api/v1/identity/refresh', () => HttpResponse.json({ session: sessionFor('mara') })),
    http.get('*/api/v1/users/me', () => HttpResponse.json({ id: 'u1', username: 'mara', info: {} })),
  )
  expect(await leads(() => completeSignIn({ search: { arrived: true, next: '/library' } }))).toMatchObject({
    to: '/library',
  })
})

test('a failed OIDC sign-in shows an error', async () => {
  backend.use(http.post('*/api/v1/identity/refresh', () => HttpResponse.json({}, { status: 401 })))
  expect(await leads(() => completeSignIn({ search: { arrived: true } }))).toEqual({
    to: '/login',
    search: { next: undefined, failed: 'oidc' },
  })
})

test.each([true, false])('pages for admins exist for admins only (admin: %s)', async (is_admin) => {
  setSession(sessionFor('mara'))
  backend.use(http.get('*/api/v1/users/me', () => HttpResponse.json({ id: 'mara', is_admin })))
  const thrown: unknown = await requireAdmin().catch((error: unknown) => error)
  expect(isNotFound(thrown)).toBe(!is_admin)
})

test.each([
  ['an active account that has answered', { first_name: 'Mara' }, '/'],
  ['an active account that has not answered', null, undefined],
])('onboarding with %s', async (_, info, to) => {
  setSession(sessionFor('mara'))
  backend.use(http.get('*/users/me', () => HttpResponse.json({ id: 'mara', info })))
  expect((await leads(requireUnanswered))?.to).toBe(to)
})
