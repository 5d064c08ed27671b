import { expect, it } from 'vitest'
import { createTurns } from './use-block'

function framesOf() {
  const asked: (() => void)[] = []
  return {
    request: (work: () => void) => void asked.push(work),
    /** Runs the work of one frame, of which there is at most one. */
    next() {
      expect(asked.length).toBeLessThanOrEqual(1)
      asked.shift()?.()
    },
  }
}

it('cards have their turns a few in a frame, in the order in which they came', () => {
  const frames = framesOf()
  const turns = createTurns(2, frames.request)
  const drawn: number[] = []
  for (const card of [1, 2, 3, 4, 5]) turns.wait(() => drawn.push(card))
  expect(drawn).toEqual([])
  frames.next()
  expect(drawn).toEqual([1, 2])
  frames.next()
  frames.next()
  expect(drawn).toEqual([1, 2, 3, 4, 5])
})

it('a card that leaves the sight gives its turn up', () => {
  const frames = framesOf()
  const turns = createTurns(1, frames.request)
  const drawn: number[] = []
  const giveUp = turns.wait(() => drawn.push(1))
  turns.wait(() => drawn.push(2))
  giveUp()
  frames.next()
  expect(drawn).toEqual([2])
  turns.wait(() => drawn.push(3))
  frames.next()
  expect(drawn).toEqual([2, 3])
})
