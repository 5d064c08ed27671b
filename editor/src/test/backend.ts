import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'

/** A network of its own for the tests of a file; a call that no handler knows fails. */
export function startBackend() {
  const backend = setupServer()
  beforeAll(() => backend.listen({ onUnhandledRequest: 'error' }))
  afterEach(() => backend.resetHandlers())
  afterAll(() => backend.close())
  return backend
}
