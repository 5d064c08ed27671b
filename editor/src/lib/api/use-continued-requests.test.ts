// @vitest-environment jsdom
import { renderHook } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import '@/lib/i18n'
import { sessionFor, startBackend } from '@/test/backend'
import { pendingRequests } from './pending-requests'
import { rememberWork } from './pending-work'
import { clearSession, setSession } from './session'
import { useContinuedRequests } from './use-continued-requests'

const backend = startBackend()

afterEach(() => {
  sessionStorage.clear()
  clearSession()
})

/** Leaves a create of the signed-in user without a response, as the page before does that was reloaded. */
function leave(key: string, at = 1) {
  const headers = { 'Idempotency-Key': key }
  rememberWork({ kind: 'request', key, path: '/api/v1/flows/', headers, body: '{}', at })
}

test('what the page before was creating is created once, and not by a user who signs in after', async () => {
  const sent: (string | null)[] = []
  backend.use(
    http.post('*/api/v1/flows/', ({ request }) => {
      sent.push(request.headers.get('Idempotency-Key'))
      return HttpResponse.json({ id: 'f1' })
    }),
  )
  renderHook(useContinuedRequests)
  expect(sent).toEqual([])

  setSession(sessionFor('mara'))
  leave('of-mara')
  setSession(sessionFor('ines'))
  leave('of-ines')
  const page = renderHook(useContinuedRequests)
  await vi.waitFor(() => expect(pendingRequests()).toEqual([]))
  expect(sent).toEqual(['of-ines'])

  setSession(sessionFor('mara'))
  page.rerender()
  renderHook(useContinuedRequests)
  await vi.waitFor(() => expect(pendingRequests()).toEqual([]))
  expect(sent).toEqual(['of-ines', 'of-mara'])
})

test('a request of this page, which still waits for its response, is left alone', async () => {
  backend.use(http.post('*/api/v1/flows/', () => HttpResponse.json({ id: 'f1' })))
  setSession(sessionFor('noor'))
  leave('before')
  leave('now', Date.now())
  renderHook(useContinuedRequests)
  await vi.waitFor(() => expect(pendingRequests().map(({ key }) => key)).toEqual(['now']))
})
