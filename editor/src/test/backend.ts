import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'

/** A mock network for the tests of a file; requests without a handler fail. No agent has been customized. */
export function startBackend() {
  const backend = setupServer(
    http.get('*/flows/:id/customization', () => HttpResponse.json({ values: {}, updated_at: null })),
    http.patch('*/flows/:id/customization', () => HttpResponse.json({ values: {}, updated_at: null })),
  )
  beforeAll(() => backend.listen({ onUnhandledRequest: 'error' }))
  afterEach(() => backend.resetHandlers())
  afterAll(() => backend.close())
  return backend
}

/** A token with these claims and an invalid signature. */
export function tokenFor(subject: string, lifetime = 900, mark = ''): string {
  const issued = Math.floor(Date.now() / 1000)
  const claims = { sub: subject, iat: issued, exp: issued + lifetime, mark }
  return ['e30', btoa(JSON.stringify(claims)), 'x'].join('.')
}

export function sessionFor(subject: string, lifetime = 900, mark = '') {
  return {
    identity_token: tokenFor(subject, lifetime, mark),
    expires_at: new Date(Date.now() + lifetime * 1000).toISOString(),
  }
}
