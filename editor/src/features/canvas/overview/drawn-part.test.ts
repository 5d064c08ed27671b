import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type View, visiblePart } from '../interactions/visible-part'
import { isEnough, partToDraw, placeOf } from './drawn-part'

const ALL = { left: -1000, top: -500, right: 20_000, bottom: 20_000 }
const views: fc.Arbitrary<View> = fc.record({
  transform: fc.tuple(
    fc.double({ min: -4000, max: 4000, noNaN: true }),
    fc.double({ min: -4000, max: 4000, noNaN: true }),
    fc.double({ min: 0.06, max: 0.36, noNaN: true }),
  ),
  width: fc.integer({ min: 1, max: 3000 }),
  height: fc.integer({ min: 1, max: 2000 }),
})

it('what is drawn for a view is enough for it, and no more than half as much again on each axis', () => {
  fc.assert(
    fc.property(views, (view) => {
      const part = partToDraw(view, ALL)
      expect(isEnough(part, view, ALL)).toBe(true)
      const seen = visiblePart(view)
      expect(part.right - part.left).toBeLessThanOrEqual(1.5 * (seen.right - seen.left) + 1e-6)
      expect(part.bottom - part.top).toBeLessThanOrEqual(1.5 * (seen.bottom - seen.top) + 1e-6)
    }),
  )
})

it('a bitmap is enough while all that is visible of the flow lies in it', () => {
  const view: View = { transform: [100, 50, 0.1], width: 800, height: 400 }
  const moved = (x: number, y: number): View => ({ ...view, transform: [x, y, 0.1] })
  const part = partToDraw(view, ALL)
  expect(isEnough(part, moved(100 - 199, 50), ALL)).toBe(true)
  expect(isEnough(part, moved(100 - 201, 50), ALL)).toBe(false)
  expect(isEnough(part, moved(100, 50 - 99), ALL)).toBe(true)
  expect(isEnough(part, moved(100, 50 - 101), ALL)).toBe(false)
  // Nothing lies to the left or above, or where the flow has ended.
  expect(isEnough(part, moved(100 + 700, 50 + 300), ALL)).toBe(true)
  expect(isEnough(part, moved(5000, 50), ALL)).toBe(true)
})

it('a bitmap is scaled to between a half and twice its size', () => {
  const view: View = { transform: [0, 0, 0.2], width: 400, height: 300 }
  const whole = { left: 0, top: 0, right: 500, bottom: 500 }
  const part = partToDraw(view, whole)
  const isEnoughAt = (zoom: number) => isEnough(part, { ...view, transform: [0, 0, zoom] }, whole)
  expect([0.099, 0.1, 0.4, 0.401].map(isEnoughAt)).toEqual([false, true, true, false])
})

it('a bitmap is placed where its part is in the view', () => {
  const part = { left: 100, top: 200, right: 900, bottom: 800, zoom: 0.2 }
  expect(placeOf(part, { transform: [10, 20, 0.1], width: 800, height: 400 })).toBe(
    'translate(20px, 40px) scale(0.5)',
  )
})
