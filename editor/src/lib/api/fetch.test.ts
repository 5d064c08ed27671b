// @vitest-environment jsdom
import { HttpResponse, http } from 'msw'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { sessionFor, startBackend } from '@/test/backend'
import { ApiError } from './error'
import { authorizedFetch } from './fetch'
import { request } from './request'
import { clearSession, getSession, reloadSession, setSession } from './session'

const backend = startBackend()
const ME = '*/api/v1/users/me'
const REFRESH = '*/api/v1/identity/refresh'
afterEach(() => clearSession())

/** Returns the token of the request; refuses tokens that are not valid. */
const me = (good: () => string | null) =>
  http.get(ME, ({ request: call }) => {
    const bearer = call.headers.get('Authorization')
    if (bearer !== `Bearer ${good()}`)
      return HttpResponse.json({ code: 'not_authenticated' }, { status: 401 })
    return HttpResponse.json({ bearer })
  })

function refresher(next = sessionFor('mara', 900, 'renewed')) {
  const calls = vi.fn()
  const handler = http.post(REFRESH, () => {
    calls()
    return HttpResponse.json({ session: next })
  })
  return { calls, handler, token: next.identity_token }
}

test('every request carries the bearer token of the session', async () => {
  setSession(sessionFor('mara'))
  backend.use(me(() => getSession()?.token ?? null))
  await expect(request('GET', '/users/me')).resolves.toEqual({ bearer: `Bearer ${getSession()?.token}` })
})

test('without a session the request has no bearer token', async () => {
  backend.use(http.get(ME, ({ request: call }) => HttpResponse.json(call.headers.has('Authorization'))))
  await expect(request('GET', '/users/me')).resolves.toBe(false)
})

test('a token that is not a valid header value is an invalid session, which ends', async () => {
  setSession({ identity_token: 'line\nbreak', expires_at: new Date(Date.now() + 9e5).toISOString() })
  await expect(authorizedFetch('http://localhost/api/v1/users/me')).rejects.toThrow(
    'Authentication session is invalid',
  )
  expect(getSession()).toBeNull()
})

describe('renewal', () => {
  test('a refused token is refreshed and the request repeated', async () => {
    setSession(sessionFor('mara'))
    const { calls, handler, token } = refresher()
    backend.use(
      me(() => token),
      handler,
    )
    await expect(request('GET', '/users/me')).resolves.toEqual({ bearer: `Bearer ${token}` })
    expect(calls).toHaveBeenCalledTimes(1)
    expect(getSession()?.token).toBe(token)
  })

  test('a token about to expire is refreshed before the request', async () => {
    setSession(sessionFor('mara', 30))
    const { handler, token } = refresher()
    const seen: (string | null)[] = []
    backend.use(
      handler,
      http.get(ME, ({ request: call }) => {
        seen.push(call.headers.get('Authorization'))
        return HttpResponse.json({})
      }),
    )
    await request('GET', '/users/me')
    expect(seen).toEqual([`Bearer ${token}`])
  })

  test('concurrent requests refresh once', async () => {
    setSession(sessionFor('mara'))
    const { calls, handler, token } = refresher()
    backend.use(
      me(() => token),
      handler,
    )
    await Promise.all(Array.from({ length: 8 }, () => request('GET', '/users/me')))
    expect(calls).toHaveBeenCalledTimes(1)
  })

  test('a token refreshed by another tab is used instead of refreshing again', async () => {
    setSession(sessionFor('mara'))
    const other = sessionFor('mara', 900, 'other tab')
    localStorage.setItem(
      'impasto.session',
      JSON.stringify({ token: other.identity_token, subject: 'mara', expires: Date.now() + 900_000 }),
    )
    const { calls, handler } = refresher()
    backend.use(
      me(() => other.identity_token),
      handler,
    )
    await expect(request('GET', '/users/me')).resolves.toBeTruthy()
    expect(calls).not.toHaveBeenCalled()
  })

  test('an expired session is removed and the error response returned', async () => {
    setSession(sessionFor('mara'))
    backend.use(
      me(() => null),
      http.post(REFRESH, () => HttpResponse.json({ code: 'session_ended' }, { status: 401 })),
    )
    await expect(request('GET', '/users/me')).rejects.toMatchObject({
      status: 401,
      code: 'not_authenticated',
    })
    expect(getSession()).toBeNull()
    expect(localStorage.getItem('impasto.session')).toBeNull()
  })

  test('a server error does not end the session', async () => {
    setSession(sessionFor('mara'))
    backend.use(
      me(() => null),
      http.post(REFRESH, () => HttpResponse.json({ detail: 'Busy.' }, { status: 503 })),
    )
    await expect(request('GET', '/users/me')).rejects.toMatchObject({ status: 503 })
    expect(getSession()).not.toBeNull()
  })
})

test('signing out in one tab signs out the others', () => {
  setSession(sessionFor('mara'))
  localStorage.removeItem('impasto.session')
  expect(reloadSession()).toBeNull()
})

describe('errors', () => {
  const refuse = (body: object, status: number, headers = {}) =>
    backend.use(http.get(ME, () => HttpResponse.json(body, { status, headers })))

  test('a problem document becomes an ApiError whose message is its detail', async () => {
    refuse(
      {
        title: 'Too many runs',
        detail: 'You exceeded your daily quota.',
        code: 'quota_exceeded',
        book_a_call_url: 'https://x.example',
      },
      429,
      { 'Retry-After': '7', 'X-Request-ID': 'r1' },
    )
    const error = await request('GET', '/users/me').catch((reason) => reason)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      message: 'You exceeded your daily quota.',
      code: 'quota_exceeded',
      status: 429,
      bookACallUrl: 'https://x.example',
      retryAfter: 7,
      requestId: 'r1',
    })
  })

  test('a response that is not a problem document becomes the generic error', async () => {
    backend.use(http.get(ME, () => new HttpResponse('<h1>Bad gateway</h1>', { status: 502 })))
    await expect(request('GET', '/users/me')).rejects.toMatchObject({
      status: 502,
      message: 'An error occurred. Please try again later.',
    })
  })

  test('a failed connection has its own error', async () => {
    backend.use(http.get(ME, () => HttpResponse.error()))
    await expect(request('GET', '/users/me')).rejects.toMatchObject({ status: 0, code: 'unreachable' })
  })
})
