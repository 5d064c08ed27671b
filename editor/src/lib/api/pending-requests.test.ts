// @vitest-environment jsdom
import { HttpResponse, http } from 'msw'
import { afterEach, expect, it, vi } from 'vitest'
import { sessionFor, startBackend } from '@/test/backend'
import { createBrand } from './brand-edits'
import { continueRequests } from './continued-requests'
import { pendingRequests } from './pending-requests'
import { rememberWork } from './pending-work'
import { send } from './send'
import { clearSession, setSession } from './session'

const backend = startBackend()
const url = (path: string) => new URL(path, window.location.origin)
const create = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name":"Menu"}' }

afterEach(() => {
  sessionStorage.clear()
  clearSession()
  vi.useRealTimers()
})

it.each(['/api/v1/flows/', '/api/v1/flows/f1/publish', '/api/v1/brands/', '/api/v1/assets/a1/versions'])(
  'a POST to %s without a response is sent again after the reload, with its key and body',
  async (path) => {
    const got: unknown[][] = []
    let answerFirst: (response: Response) => void = () => {}
    backend.use(
      http.post(`*${path}`, async ({ request }) => {
        got.push([request.headers.get('Idempotency-Key'), await request.json()])
        if (got.length > 1) return HttpResponse.json({})
        return new Promise<Response>((done) => {
          answerFirst = done
        })
      }),
    )
    const sent = send(url(path), create)
    await vi.waitFor(() => expect(got).toHaveLength(1))
    const pending = pendingRequests()
    await continueRequests(Number.POSITIVE_INFINITY)
    expect(got[1]).toEqual([pending[0]?.key, { name: 'Menu' }])
    expect(got[0]).toEqual(got[1])
    expect(pendingRequests()).toEqual([])
    answerFirst(HttpResponse.json({}))
    await sent
  },
)

it('is forgotten once it has a response, also a refusal', async () => {
  backend.use(http.post('*/api/v1/flows/', () => HttpResponse.json({ code: 'x' }, { status: 422 })))
  await expect(send(url('/api/v1/flows/'), create)).rejects.toThrow()
  expect(pendingRequests()).toEqual([])
})

it('requests with secrets are never stored', async () => {
  let stored: unknown[] = []
  backend.use(
    http.post('*/api/v1/api-keys', () => {
      stored = pendingRequests()
      return HttpResponse.json({})
    }),
  )
  await send(url('/api/v1/api-keys'), create)
  expect(stored).toEqual([])
})

it('a brand is among the requests that are sent again', async () => {
  let stored: string[] = []
  backend.use(
    http.post('*/api/v1/brands', () => {
      stored = pendingRequests().map(({ key }) => key)
      return HttpResponse.json({ id: 'b1' })
    }),
  )
  await createBrand({ name: 'Northbound' }, 'key-1')
  expect(stored).toEqual(['key-1'])
})

it('a body that is too large to outlive its page is sent again after a reload, too', async () => {
  let stored = 0
  backend.use(
    http.post('*/api/v1/flows/import', ({ request }) => {
      expect(request.keepalive).toBe(false)
      stored = pendingRequests()[0]?.body.length ?? 0
      return HttpResponse.json({ id: 'f1' })
    }),
  )
  const body = JSON.stringify({ name: 'Menu', notes: 'n'.repeat(300_000) })
  await send(url('/api/v1/flows/import'), { ...create, body })
  expect(stored).toBe(body.length)
})

it('what another user has left is not sent with the session of the next one', async () => {
  const sent: unknown[] = []
  const waiting = { kind: 'request', path: '/api/v1/flows/', headers: {}, body: '{}', at: 0 }
  backend.use(
    http.post('*/api/v1/flows/', () => {
      sent.push(null)
      setSession(sessionFor('ines'))
      return HttpResponse.json({})
    }),
  )
  setSession(sessionFor('mara'))
  for (const key of ['k1', 'k2']) rememberWork({ ...waiting, key })
  await continueRequests(Number.POSITIVE_INFINITY)
  expect(sent).toHaveLength(1)
  expect(pendingRequests()).toEqual([])
  setSession(sessionFor('mara'))
  expect(pendingRequests().map(({ key }) => key)).toEqual(['k2'])
})
