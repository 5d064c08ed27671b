import { expect, it } from 'vitest'
import { mapWithConcurrency } from './map-with-concurrency'

it('returns results in order, with at most six calls in progress', async () => {
  let [now, most] = [0, 0]
  const doubled = await mapWithConcurrency([5, 1, 4, 2, 3, 9, 8, 7], async (number) => {
    now += 1
    most = Math.max(most, now)
    await new Promise((done) => setTimeout(done, number))
    now -= 1
    return number * 2
  })
  expect(doubled).toEqual([10, 2, 8, 4, 6, 18, 16, 14])
  expect(most).toBe(6)
})

it('throws the first failure, and returns an empty list for an empty list', async () => {
  expect(await mapWithConcurrency([], () => Promise.reject(new Error('never')))).toEqual([])
  await expect(mapWithConcurrency([1, 2], () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
})
