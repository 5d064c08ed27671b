// @vitest-environment jsdom
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { startBackend } from '@/test/backend'
import { deleteAssets } from './assets'

const backend = startBackend()

it('sends all deletions at once with keepalive when the page is being left', async () => {
  const asked: boolean[] = []
  let answer = () => {}
  const held = new Promise<void>((done) => {
    answer = done
  })
  backend.use(
    http.delete('*/assets/:id', async ({ request }) => {
      asked.push(request.keepalive)
      if (asked.length === 20) answer()
      await held
      return new HttpResponse(null, { status: 204 })
    }),
  )
  await deleteAssets(
    Array.from({ length: 20 }, (_, index) => `asset-${index}`),
    true,
  )
  expect(asked).toEqual(Array(20).fill(true))
})
