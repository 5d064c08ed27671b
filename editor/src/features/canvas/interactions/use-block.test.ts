import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { createTurns, waitForTurn } from './use-block'

type Work = (hasTime: () => boolean) => void

/** Times at which cards can be drawn, each with room for some. */
function timesOf() {
  const asked: Work[] = []
  return {
    request: (work: Work) => void asked.push(work),
    /** Runs the work of one time, of which there is at most one. */
    next(room: number) {
      expect(asked.length).toBeLessThanOrEqual(1)
      let left = room
      asked.shift()?.(() => --left > 0)
    },
  }
}

it('cards have their turns while there is time, in the order in which they came, at least one each time', () => {
  const times = timesOf()
  const turns = createTurns(times.request)
  const drawn: number[] = []
  for (const card of [1, 2, 3, 4]) turns.wait(() => drawn.push(card))
  expect(drawn).toEqual([])
  times.next(2)
  expect(drawn).toEqual([1, 2])
  times.next(0)
  expect(drawn).toEqual([1, 2, 3])
  times.next(5)
  times.next(5)
  expect(drawn).toEqual([1, 2, 3, 4])
})

it('a card that leaves the sight gives its turn up', () => {
  const times = timesOf()
  const turns = createTurns(times.request)
  const drawn: number[] = []
  const giveUp = turns.wait(() => drawn.push(1))
  turns.wait(() => drawn.push(2))
  giveUp()
  times.next(1)
  expect(drawn).toEqual([2])
  turns.wait(() => drawn.push(3))
  times.next(1)
  expect(drawn).toEqual([2, 3])
})

describe('waitForTurn', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('requestAnimationFrame', (work: () => void) => setTimeout(work, 16))
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('a card waits while the canvas is zoomed, and is drawn once it is at rest', () => {
    const view = createStore(() => ({ isMoving: true, isZooming: true }))
    const draw = vi.fn()
    waitForTurn(view, draw)
    vi.advanceTimersByTime(5000)
    expect(draw).not.toHaveBeenCalled()
    view.setState({ isMoving: false, isZooming: false })
    vi.advanceTimersByTime(100)
    expect(draw).toHaveBeenCalledOnce()
  })

  it('a card whose zoom begins before its turn waits too, unless it has left the sight', () => {
    const view = createStore(() => ({ isMoving: true, isZooming: false }))
    const [draw, gone] = [vi.fn(), vi.fn()]
    waitForTurn(view, draw)
    const giveUp = waitForTurn(view, gone)
    view.setState({ isZooming: true })
    giveUp()
    vi.advanceTimersByTime(5000)
    expect(draw).not.toHaveBeenCalled()
    view.setState({ isMoving: false, isZooming: false })
    vi.advanceTimersByTime(100)
    expect(draw).toHaveBeenCalledOnce()
    expect(gone).not.toHaveBeenCalled()
  })
})
