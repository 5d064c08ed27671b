import { MutationObserver, onlineManager } from '@tanstack/react-query'
import { afterEach, expect, it } from 'vitest'
import { fetchFresh, queryClient } from './query-client'

afterEach(() => onlineManager.setOnline(true))

it('sends a change without a connection at once, so that it fails instead of being sent later', async () => {
  onlineManager.setOnline(false)
  const sent = new MutationObserver(queryClient, {
    mutationFn: () => Promise.reject(new Error('unreachable')),
  }).mutate()
  await expect(sent).rejects.toThrow('unreachable')
})

it('ignores a response whose request was already pending', async () => {
  const answers: ((said: string) => void)[] = []
  const options = {
    queryKey: ['draft'],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      new Promise<string>((done, fail) => {
        answers.push(done)
        signal.addEventListener('abort', () => fail(signal.reason))
      }),
  }
  const before = queryClient.fetchQuery(options).catch(() => 'given up')
  const now = fetchFresh(options)
  await expect.poll(() => answers.length).toBe(2)
  answers[0]?.('as it was')
  answers[1]?.('as it is')
  expect(await now).toBe('as it is')
  expect(queryClient.getQueryData(['draft'])).toBe('as it is')
  await before
})
