import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { throttle } from './throttle'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('works at once, and once more for all calls of an interval', () => {
  const work = vi.fn()
  const { call } = throttle(work, 150)
  call()
  expect(work).toHaveBeenCalledTimes(1)
  call()
  call()
  expect(work).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(150)
  expect(work).toHaveBeenCalledTimes(2)
})

it('waits a whole interval after a late call, too', () => {
  const work = vi.fn()
  const { call } = throttle(work, 150)
  call()
  call()
  vi.advanceTimersByTime(150)
  call()
  vi.advanceTimersByTime(149)
  expect(work).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(1)
  expect(work).toHaveBeenCalledTimes(3)
})

it('works at once again after a quiet interval', () => {
  const work = vi.fn()
  const { call } = throttle(work, 150)
  call()
  vi.advanceTimersByTime(150)
  expect(work).toHaveBeenCalledTimes(1)
  call()
  expect(work).toHaveBeenCalledTimes(2)
})

it('drops what waits when it is cancelled', () => {
  const work = vi.fn()
  const { call, cancel } = throttle(work, 150)
  call()
  call()
  cancel()
  vi.advanceTimersByTime(1000)
  expect(work).toHaveBeenCalledTimes(1)
})
