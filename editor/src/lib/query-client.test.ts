import { InfiniteQueryObserver, MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, it } from 'vitest'
import { fetchFresh, invalidate, queryClient } from './query-client'

afterEach(() => onlineManager.setOnline(true))

it('sends a change without a connection at once, so that it fails instead of being sent later', async () => {
  onlineManager.setOnline(false)
  const sent = new MutationObserver(queryClient, {
    mutationFn: () => Promise.reject(new Error('unreachable')),
  }).mutate()
  await expect(sent).rejects.toThrow('unreachable')
})

/** A query of which the test gives the responses. */
function heldQuery(key: string) {
  const answers: ((said: string) => void)[] = []
  const options = {
    queryKey: [key],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      new Promise<string>((done, fail) => {
        answers.push(done)
        signal.addEventListener('abort', () => fail(signal.reason))
      }),
  }
  return { answers, options }
}

it('ignores a response whose request was already pending', async () => {
  const { answers, options } = heldQuery('draft')
  const before = queryClient.fetchQuery(options).catch(() => 'given up')
  const now = fetchFresh(options)
  await expect.poll(() => answers.length).toBe(2)
  answers[0]?.('as it was')
  answers[1]?.('as it is')
  expect(await now).toBe('as it is')
  expect(queryClient.getQueryData(['draft'])).toBe('as it is')
  await before
})

it.each(['a list', 'a paged list'])(
  'ignores the first response of %s whose request was pending when it was invalidated',
  async (kind) => {
    const { answers, options } = heldQuery(kind)
    const paged = { ...options, initialPageParam: 0, getNextPageParam: () => null }
    const observer =
      kind === 'a list'
        ? new QueryObserver(queryClient, options)
        : new InfiniteQueryObserver(queryClient, paged as never)
    const leave = observer.subscribe(() => undefined)
    await expect.poll(() => answers.length).toBe(1)

    const refetched = invalidate({ queryKey: [kind] })
    await expect.poll(() => answers.length).toBe(2)
    answers[0]?.('as it was')
    answers[1]?.('as it is')
    await refetched

    expect(observer.getCurrentResult()).toMatchObject({ status: 'success', isFetching: false })
    expect(JSON.stringify(observer.getCurrentResult().data)).toContain('as it is')
    expect(answers).toHaveLength(2)
    leave()
  },
)

it('a caller that awaits an invalidated first load gets the response of the second request', async () => {
  const { answers, options } = heldQuery('waited for')
  const waited = queryClient.fetchQuery(options)
  await expect.poll(() => answers.length).toBe(1)
  const refetched = invalidate({ queryKey: ['waited for'] })
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.('as it is')
  expect(await waited).toBe('as it is')
  await refetched
})

it('starts no load again that the filter leaves out', async () => {
  const { answers, options } = heldQuery('other')
  const waited = queryClient.fetchQuery(options)
  await expect.poll(() => answers.length).toBe(1)
  await invalidate({ queryKey: ['something else'] })
  answers[0]?.('as it is')
  expect(await waited).toBe('as it is')
  expect(answers).toHaveLength(1)
})
