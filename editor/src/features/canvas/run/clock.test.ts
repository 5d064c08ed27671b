import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createClock } from './clock'

beforeEach(() => {
  vi.useFakeTimers({ now: 100_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

it('all subscribers tick at once, with one timer', () => {
  const clock = createClock(500)
  const ticks: [string, number][] = []
  clock.subscribe(() => ticks.push(['early', clock.now()]))
  vi.advanceTimersByTime(300)
  clock.subscribe(() => ticks.push(['late', clock.now()]))
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(200)
  expect(ticks).toEqual([
    ['early', 100.5],
    ['late', 100.5],
  ])
})

it('keeps its time between two ticks', () => {
  const clock = createClock(500)
  clock.subscribe(() => undefined)
  vi.advanceTimersByTime(700)
  expect(clock.now()).toBe(100.5)
})

it('without subscribers it has no timer and no old time', () => {
  const clock = createClock(500)
  const end = clock.subscribe(() => undefined)
  end()
  expect(vi.getTimerCount()).toBe(0)
  vi.advanceTimersByTime(60_000)
  expect(clock.now()).toBe(160)
})

it('starts with the present time for its first subscriber', () => {
  const clock = createClock(500)
  vi.advanceTimersByTime(400)
  clock.subscribe(() => undefined)
  expect(clock.now()).toBe(100.4)
})
