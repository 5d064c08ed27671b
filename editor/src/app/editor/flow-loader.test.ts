// @vitest-environment jsdom
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { flowQuery } from '@/lib/api/flows'
import { queryClient } from '@/lib/query-client'
import { startBackend } from '@/test/backend'
import { loadFlow, takeEntered } from './flow-loader'

const backend = startBackend()
/** The requests for an agent, which the test answers with its name. */
let requests: ((name: string) => void)[] = []

beforeEach(() => {
  requests = []
  queryClient.clear()
  backend.use(
    http.get('*/api/v1/nodes/', () => HttpResponse.json({ items: [] })),
    http.get('*/api/v1/flows/:id', async ({ params }) => {
      const name = await new Promise<string>((answer) => {
        requests.push(answer)
      })
      return HttpResponse.json({ id: params.id, name })
    }),
  )
})

const cached = (id: string) => queryClient.getQueryState(flowQuery(id).queryKey)

it('requests the agent of a page that is entered, and its answer is current', async () => {
  loadFlow('jug', 'enter')
  await expect.poll(() => requests.length).toBe(1)
  requests[0]?.('Jug')
  await expect.poll(() => cached('jug')?.data).toMatchObject({ name: 'Jug' })
  expect(cached('jug')?.dataUpdatedAt).toBeGreaterThanOrEqual(takeEntered('jug'))
})

it('does not take the answer to a preload, which may be older than the last edit', async () => {
  loadFlow('jug', 'preload')
  await expect.poll(() => requests.length).toBe(1)
  loadFlow('jug', 'enter')
  await expect.poll(() => requests.length).toBe(2)
  requests[0]?.('Before the edit')
  requests[1]?.('After the edit')
  await expect.poll(() => cached('jug')?.data).toMatchObject({ name: 'After the edit' })
})

it('leaves a page alone whose address changes while it is open', async () => {
  loadFlow('jug', 'enter')
  takeEntered('jug')
  await expect.poll(() => requests.length).toBe(1)
  requests[0]?.('Jug')
  await expect.poll(() => cached('jug')?.data).toBeTruthy()
  loadFlow('jug', 'stay')
  expect(cached('jug')?.fetchStatus).toBe('idle')
  loadFlow('cup', 'stay')
  await expect.poll(() => requests.length).toBe(2)
  requests[1]?.('Cup')
})

it('knows no time for a page that renders again', async () => {
  loadFlow('jug', 'enter')
  await expect.poll(() => requests.length).toBe(1)
  requests[0]?.('Jug')
  takeEntered('jug')
  expect(takeEntered('jug')).toBe(Number.POSITIVE_INFINITY)
})
