// @vitest-environment jsdom
import { HttpResponse, http } from 'msw'
import { afterEach, expect, it, vi } from 'vitest'
import { startBackend } from '@/test/backend'
import { createClientConfig } from './client-config'

const backend = startBackend()
const { fetch: send } = createClientConfig()
const json = { 'Content-Type': 'application/json' }

afterEach(() => void vi.restoreAllMocks())

/** Whether the request that reaches the network outlives its page. */
async function outlivesPage(init: RequestInit): Promise<boolean> {
  backend.use(http.all('*/flows', () => HttpResponse.json({})))
  const fetched = vi.spyOn(globalThis, 'fetch')
  await send(new URL('/flows', window.location.origin), init)
  const [sent] = fetched.mock.lastCall ?? []
  return sent instanceof Request && sent.keepalive
}

it.each([
  ['a small POST', { method: 'POST', headers: json, body: '{"name":"Menu"}' }, true],
  ['a POST without a body', { method: 'POST' }, true],
  [
    'a large POST, which the browser would refuse',
    { method: 'POST', headers: json, body: 'x'.repeat(70_000) },
    false,
  ],
  ['an upload', { method: 'POST', body: new FormData() }, false],
  ['a read', { method: 'GET' }, false],
])('%s', async (_, init, expected) => {
  expect(await outlivesPage(init)).toBe(expected)
})
