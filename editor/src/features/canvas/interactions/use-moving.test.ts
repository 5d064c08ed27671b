import { afterEach, expect, it, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { createMoving, REST_MS } from './use-moving'

afterEach(() => {
  vi.useRealTimers()
})

it('a canvas moves until it has not been moved for a while', () => {
  vi.useFakeTimers()
  const view = createStore(() => ({ isMoving: false }))
  const changes: boolean[] = []
  view.subscribe(({ isMoving }) => changes.push(isMoving))
  const { move } = createMoving(view)

  move()
  vi.advanceTimersByTime(REST_MS - 1)
  move()
  vi.advanceTimersByTime(REST_MS - 1)
  expect(changes).toEqual([true])
  vi.advanceTimersByTime(1)
  expect(changes).toEqual([true, false])
})
