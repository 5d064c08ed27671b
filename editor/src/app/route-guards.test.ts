// @vitest-environment jsdom
import { isRedirect, type ParsedLocation } from '@tanstack/react-router'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test } from 'vitest'
import { clearSession, setSession } from '@/lib/api/session'
import { expectOnboarding } from '@/lib/onboarding'
import { queryClient } from '@/lib/query-client'
import { sessionFor, startBackend } from '@/test/backend'
import { completeSignIn, requireNoSession, requireSession } from './route-guards'

const backend = startBackend()
afterEach(() => {
  clearSession()
  queryClient.clear()
})

const at = (href: string) => ({ location: { href } as ParsedLocation })

/** Where a guard leads; null when it lets through. */
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

test('without a session the way leads to /login and remembers where to', async () => {
  expect(await leads(() => requireSession(at('/flow/7')))).toEqual({
    to: '/login',
    search: { next: '/flow/7' },
  })
  expect(await leads(() => requireSession(at('/')))).toEqual({ to: '/login', search: { next: undefined } })
})

test('after signing out nothing is remembered', async () => {
  setSession(sessionFor('mara'))
  clearSession(true)
  expect(await leads(() => requireSession(at('/flow/7')))).toEqual({
    to: '/login',
    search: { next: undefined },
  })
})

test('with a session the doors open, and the pages before it lead on', async () => {
  setSession(sessionFor('mara'))
  expect(await leads(() => requireSession(at('/flow/7')))).toBeNull()
  expect(await leads(() => requireNoSession({ search: { next: '/flow/7' } }))).toMatchObject({
    to: '/flow/7',
  })
  expect(await leads(() => requireNoSession({ search: {} }))).toMatchObject({ to: '/' })
})

test('who has just come in and has not answered is asked first', async () => {
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

test('nobody is let through to the sign-in page with a session from outside', async () => {
  backend.use(
    http.post('*/api/v1/identity/refresh', () => HttpResponse.json({ session: sessionFor('mara') })),
    http.get('*/api/v1/users/me', () => HttpResponse.json({ id: 'u1', username: 'mara', info: {} })),
  )
  expect(await leads(() => completeSignIn({ search: { arrived: true, next: '/library' } }))).toMatchObject({
    to: '/library',
  })
})

test('coming back from outside with nothing says so', async () => {
  backend.use(http.post('*/api/v1/identity/refresh', () => HttpResponse.json({}, { status: 401 })))
  expect(await leads(() => completeSignIn({ search: { arrived: true } }))).toEqual({
    to: '/login',
    search: { next: undefined, failed: 'oidc' },
  })
})
