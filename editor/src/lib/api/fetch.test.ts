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

/** Answers the token it was called with; refuses those that are not good. */
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

test('the bearer of the session is on every request', async () => {
  setSession(sessionFor('mara'))
  backend.use(me(() => getSession()?.token ?? null))
  await expect(request('GET', '/users/me')).resolves.toEqual({ bearer: `Bearer ${getSession()?.token}` })
})

test('without a session the call goes out without a bearer', async () => {
  backend.use(http.get(ME, ({ request: call }) => HttpResponse.json(call.headers.has('Authorization'))))
  await expect(request('GET', '/users/me')).resolves.toBe(false)
})

test('a token that no header can carry is an invalid session', async () => {
  setSession({ identity_token: 'line\nbreak', expires_at: new Date(Date.now() + 9e5).toISOString() })
  await expect(authorizedFetch('http://localhost/api/v1/users/me')).rejects.toThrow(
    'Authentication session is invalid',
  )
})

describe('renewal', () => {
  test('a refused token is renewed silently and the call repeated', async () => {
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

  test('a token about to run out is renewed before the call', async () => {
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

  test('many calls at once renew once', async () => {
    setSession(sessionFor('mara'))
    const { calls, handler, token } = refresher()
    backend.use(
      me(() => token),
      handler,
    )
    await Promise.all(Array.from({ length: 8 }, () => request('GET', '/users/me')))
    expect(calls).toHaveBeenCalledTimes(1)
  })

  test('what another tab has renewed is taken over instead of renewed again', async () => {
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

  test('a dead session is forgotten and the refusal told', async () => {
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

  test('a server in trouble does not end the session', async () => {
    setSession(sessionFor('mara'))
    backend.use(
      me(() => null),
      http.post(REFRESH, () => HttpResponse.json({ detail: 'Busy.' }, { status: 503 })),
    )
    await expect(request('GET', '/users/me')).rejects.toMatchObject({ status: 503 })
    expect(getSession()).not.toBeNull()
  })
})

test('signing out in one tab is signing out in this one', () => {
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

  test('an answer that is no problem document is the plain sentence', async () => {
    backend.use(http.get(ME, () => new HttpResponse('<h1>Bad gateway</h1>', { status: 502 })))
    await expect(request('GET', '/users/me')).rejects.toMatchObject({
      status: 502,
      message: 'An error occurred. Please try again later.',
    })
  })

  test('no answer at all is told as such', async () => {
    backend.use(http.get(ME, () => HttpResponse.error()))
    await expect(request('GET', '/users/me')).rejects.toMatchObject({ status: 0, code: 'unreachable' })
  })
})
