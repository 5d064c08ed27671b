import type { Transform } from '@xyflow/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { createLiveViewport, PAN_UPDATE_MS, REST_MS, ZOOM_UPDATE_MS } from './live-viewport'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A viewport, the updates of React Flow's store, and a store that covers what `covers` says. */
function viewportOf({ isCrowded = true, covers = false } = {}) {
  const view = createStore(() => ({ isMoving: false, isZooming: false, zoom: 1 }))
  const updates: Transform[] = []
  const cover = { covers }
  const live = createLiveViewport({
    view,
    update: (transform) => updates.push(transform),
    isCovered: () => cover.covers,
    isCrowded: () => isCrowded,
  })
  /** One step of a pan or zoom by the user. */
  const moveTo = (x: number, zoom = 1) => {
    live.change({ x, y: 0, zoom })
    live.move()
  }
  return { live, view, updates, cover, moveTo }
}

it('the canvas moves until it has not been moved for a while', () => {
  const { view, moveTo } = viewportOf()
  const changes: boolean[] = []
  view.subscribe(({ isMoving }, before) => {
    if (isMoving !== before.isMoving) changes.push(isMoving)
  })
  moveTo(1)
  vi.advanceTimersByTime(REST_MS - 1)
  moveTo(2)
  vi.advanceTimersByTime(REST_MS - 1)
  expect(changes).toEqual([true])
  vi.advanceTimersByTime(1)
  expect(changes).toEqual([true, false])
})

it('the store is updated at the first step, then a few times a second, and at rest has the last one', () => {
  const { updates, moveTo } = viewportOf()
  for (let x = 1; x <= 30; x += 1) {
    moveTo(x)
    vi.advanceTimersByTime(PAN_UPDATE_MS / 10)
  }
  expect(updates.map(([x]) => x)).toEqual([1, 11, 21])
  vi.advanceTimersByTime(REST_MS)
  expect(updates.at(-1)).toEqual([30, 0, 1])
})

it('the store is not updated while it covers what is in sight, but the shown zoom follows', () => {
  const { updates, view, cover, moveTo } = viewportOf()
  moveTo(1)
  cover.covers = true
  moveTo(2, 1.2)
  vi.advanceTimersByTime(ZOOM_UPDATE_MS)
  expect(updates.map(([x]) => x)).toEqual([1])
  expect(view.getState().zoom).toBe(1.2)
  cover.covers = false
  moveTo(3, 0.8)
  vi.advanceTimersByTime(ZOOM_UPDATE_MS)
  expect(updates.map(([x]) => x)).toEqual([1, 3])
  cover.covers = true
  moveTo(4, 0.9)
  vi.advanceTimersByTime(REST_MS)
  expect(updates.at(-1)).toEqual([4, 0, 0.9])
})

it('the store is updated at once by the program, in a small flow, and when the user presses', () => {
  const crowded = viewportOf()
  crowded.live.change({ x: 5, y: 0, zoom: 1 })
  expect(crowded.updates.map(([x]) => x)).toEqual([5])
  crowded.moveTo(6)
  crowded.moveTo(7)
  crowded.live.settle()
  expect(crowded.updates.map(([x]) => x)).toEqual([5, 6, 7])

  const small = viewportOf({ isCrowded: false })
  for (const x of [1, 2, 3]) small.moveTo(x)
  expect(small.updates.map(([x]) => x)).toEqual([1, 2, 3])
})

it('what draws for each move is called for each, and reads the last one', () => {
  const { live, moveTo } = viewportOf()
  const seen: Transform[] = []
  const unsubscribe = live.subscribe((transform) => seen.push(transform))
  for (const x of [1, 2, 3]) moveTo(x)
  expect(seen.map(([x]) => x)).toEqual([1, 2, 3])
  expect(live.get()).toEqual([3, 0, 1])
  expect(live.held).toEqual({ x: 3, y: 0, zoom: 1 })
  unsubscribe()
  moveTo(4)
  expect(seen).toHaveLength(3)
})

it('the canvas is zoomed from the first other zoom until it is at rest', () => {
  const { view, moveTo } = viewportOf()
  moveTo(1)
  moveTo(2)
  expect(view.getState().isZooming).toBe(false)
  moveTo(3, 1.1)
  moveTo(4, 1.1)
  expect(view.getState().isZooming).toBe(true)
  vi.advanceTimersByTime(REST_MS)
  expect(view.getState()).toEqual({ isMoving: false, isZooming: false, zoom: 1.1 })
})

it('while the canvas is zoomed, the store is updated half as often', () => {
  const { updates, moveTo } = viewportOf()
  moveTo(1)
  moveTo(2, 1.1)
  vi.advanceTimersByTime(PAN_UPDATE_MS)
  expect(updates.map(([x]) => x)).toEqual([1, 2])
  moveTo(3, 1.2)
  vi.advanceTimersByTime(ZOOM_UPDATE_MS - 1)
  expect(updates.map(([x]) => x)).toEqual([1, 2])
  vi.advanceTimersByTime(1)
  expect(updates.map(([x]) => x)).toEqual([1, 2, 3])
})

it('the first step of a zoom is shown once the canvas is known to move', async () => {
  const { view, moveTo } = viewportOf()
  const moving: boolean[] = []
  view.subscribe(({ zoom, isMoving }, before) => {
    if (zoom !== before.zoom) moving.push(isMoving)
  })
  moveTo(1, 1.1)
  await Promise.resolve()
  expect(view.getState().zoom).toBe(1.1)
  expect(moving).toEqual([true])
})

it('a canvas that goes away leaves nothing to come', () => {
  const { live, updates, view, moveTo } = viewportOf()
  moveTo(1)
  moveTo(2)
  live.stop()
  expect(updates.map(([x]) => x)).toEqual([1, 2])
  expect(view.getState().isMoving).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
})
