// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { withKeepalive } from './keepalive'

const KIB = 1024

function post(body: string, init: RequestInit = {}) {
  const headers = { 'Content-Type': 'application/json' }
  return withKeepalive(
    new Request(new URL('/api/v1/flows/', window.location.origin), {
      method: 'POST',
      headers,
      body,
      ...init,
    }),
  )
}

it('lets a create outlive its page, as far as all of them together are below the limit of browsers', async () => {
  const [first, endFirst] = await post('a'.repeat(40 * KIB))
  const [second, endSecond] = await post('b'.repeat(40 * KIB))
  expect([first.keepalive, second.keepalive]).toEqual([true, false])
  expect(await second.text()).toBe('b'.repeat(40 * KIB))
  endFirst()
  endSecond()
  const [third, endThird] = await post('c'.repeat(40 * KIB))
  expect(third.keepalive).toBe(true)
  endThird()
})

it('counts bytes, not characters', async () => {
  const [request, end] = await post('漢'.repeat(30 * KIB), { keepalive: true })
  expect(request.keepalive).toBe(false)
  end()
})

it('leaves files and reads alone', async () => {
  const file = await post('x', { headers: { 'Content-Type': 'image/png' } })
  const read = await withKeepalive(new Request(window.location.origin))
  expect([file[0].keepalive, read[0].keepalive]).toEqual([false, false])
})
