// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest'
import { takeFirstData } from './first-data'

const RUNS = 'http://localhost/api/v1/runs/?limit=50'

function sent({ url = RUNS, token = 'token', sent = Date.now() } = {}) {
  window.firstData = { url, token, sent, answer: Promise.resolve(Response.json({ items: [] })) }
}

afterEach(() => {
  window.firstData = undefined
})

test('the same request takes the answer, once', async () => {
  sent()
  const answer = await takeFirstData(new Request(RUNS), 'token')
  await expect(answer?.json()).resolves.toEqual({ items: [] })
  await expect(takeFirstData(new Request(RUNS), 'token')).resolves.toBeNull()
})

test.each([
  ['of another list', new Request(`${RUNS}&q=can`), 'token'],
  ['of another session', new Request(RUNS), 'other'],
  ['without a session', new Request(RUNS), null],
  ['that changes something', new Request(RUNS, { method: 'POST' }), 'token'],
])('a request %s does not take it', async (_case, request, token) => {
  sent()
  await expect(takeFirstData(request, token)).resolves.toBeNull()
  await expect(takeFirstData(new Request(RUNS), 'token')).resolves.not.toBeNull()
})

test('an answer of half a minute ago is not taken', async () => {
  sent({ sent: Date.now() - 30_001 })
  await expect(takeFirstData(new Request(RUNS), 'token')).resolves.toBeNull()
})

test('if the early request failed, nothing is taken and the request is sent', async () => {
  const answer = Promise.reject(new TypeError('Failed to fetch'))
  answer.catch(() => {})
  window.firstData = { url: RUNS, token: 'token', sent: Date.now(), answer }
  await expect(takeFirstData(new Request(RUNS), 'token')).resolves.toBeNull()
})
