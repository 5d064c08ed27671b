import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EMPTY_PAINTING, isFar, type Painting, redo, type Step, undo, withStep } from './painting'

const clear = (): Step => ({ kind: 'clear' })
const painted = (count: number): Painting =>
  Array.from({ length: count }).reduce<Painting>((painting) => withStep(painting, clear()), EMPTY_PAINTING)

test('undo and redo walk over the same steps', () => {
  fc.assert(
    fc.property(fc.nat({ max: 20 }), fc.nat({ max: 25 }), (steps, back) => {
      const before = painted(steps)
      let now = before
      for (let turn = 0; turn < back; turn += 1) now = undo(now)
      expect(now.done).toEqual(before.done.slice(0, Math.max(0, steps - back)))
      for (let turn = 0; turn < back; turn += 1) now = redo(now)
      expect(now.done).toEqual(before.done)
      expect(now.undone).toEqual([])
    }),
  )
})

test('a new step discards the undone ones', () => {
  const now = withStep(undo(painted(2)), clear())
  expect(now.done).toHaveLength(2)
  expect(redo(now)).toBe(now)
})

test('a resting brush adds no points, so a stroke stays short', () => {
  expect(isFar([], 5, 5, 40)).toBe(true)
  expect(isFar([5, 5], 5.5, 5, 40)).toBe(false)
  expect(isFar([5, 5], 8, 5, 40)).toBe(true)
})
