import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Point, Size } from '../document'
import { freePlace } from './free-place'

const CARD = { width: 232, height: 132 }
const at = (x: number, y: number) => ({ x, y, ...CARD })

/** Whether the card at this corner keeps 32 pixels from the other box. */
function keepsDistance(corner: Point, other: Point & Size): boolean {
  const beside = corner.x + CARD.width + 32 <= other.x || other.x + other.width + 32 <= corner.x
  const above = corner.y + CARD.height + 32 <= other.y || other.y + other.height + 32 <= corner.y
  return beside || above
}

const quarters = (min: number, max: number) =>
  fc.integer({ min: 4 * min, max: 4 * max }).map((one) => one / 4)
const wanted = fc.record({ x: fc.integer({ min: -200, max: 200 }), y: fc.integer({ min: -150, max: 150 }) })
/** Many overlapping boxes around the wanted position, in any order. */
const denseBoxes = fc.array(
  fc.record({
    x: quarters(-700, 700),
    y: quarters(-300, 300),
    width: fc.integer({ min: 1, max: 300 }),
    height: quarters(1, 200),
  }),
  { minLength: 6, maxLength: 40, size: 'max' },
)

describe('a free place', () => {
  it('is the desired one, rounded, where no box is in the way', () => {
    expect(freePlace({ x: 10.4, y: 20 }, CARD, [at(600, 20)])).toEqual({ x: 10, y: 20 })
  })

  it('is the nearest one beside a box in the way, 32 pixels from it', () => {
    expect(freePlace({ x: 0, y: 20 }, CARD, [at(0, 0)])).toEqual({ x: 0, y: 164 })
    expect(freePlace({ x: 200, y: 0 }, CARD, [at(0, 0)])).toEqual({ x: 264, y: 0 })
  })

  it('is the nearest one whichever box is listed first', () => {
    const boxes = [at(2000, 2000), at(0, 1000)]
    expect(freePlace({ x: 0, y: 1020 }, CARD, boxes)).toEqual({ x: 0, y: 1164 })
    expect(freePlace({ x: 0, y: 1020 }, CARD, boxes.toReversed())).toEqual({ x: 0, y: 1164 })
  })

  it('may be a gap that is exactly wide enough, and not one that is a pixel narrower', () => {
    const desired = { x: 250, y: 0 }
    expect(freePlace(desired, CARD, [at(0, 0), at(528, 0)])).toEqual({ x: 264, y: 0 })
    expect(freePlace(desired, CARD, [at(0, 0), at(527, 0)])).not.toEqual({ x: 264, y: 0 })
  })

  it('is outside a grid of boxes without gaps', () => {
    const grid = Array.from({ length: 900 }, (_, one) => at((one % 30) * 240, Math.floor(one / 30) * 140))
    const { x, y } = freePlace({ x: 3600, y: 2100 }, CARD, grid)
    expect(x < -232 || y < -132 || x > 30 * 240 || y > 30 * 140).toBe(true)
  })

  it.each([
    ['right', [at(-232, 0), at(450, 0), at(200, 0)]],
    ['left', [at(232, 0), at(-450, 0), at(-200, 0)]],
  ])('does not depend on the order of the boxes it passes on the %s', (_side, row) => {
    const wall = row.flatMap((box) => [box, { ...box, y: -3000, height: 6000 }])
    const place = freePlace({ x: 0, y: 0 }, CARD, wall)
    expect(freePlace({ x: 0, y: 0 }, CARD, wall.toReversed())).toEqual(place)
    expect(wall.every((box) => keepsDistance(place, box))).toBe(true)
  })

  it('never overlaps a box or comes nearer than 32 pixels, however crowded the canvas', () => {
    fc.assert(
      fc.property(wanted, denseBoxes, (desired, others) => {
        const place = freePlace(desired, CARD, others)
        expect(others.filter((other) => !keepsDistance(place, other))).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })

  it('is on the left, and above, where both sides are as near', () => {
    const [tall, wide] = [
      { x: 0, y: -3000, width: 232, height: 6000 },
      { x: -3000, y: 0, width: 6000, height: 132 },
    ]
    expect(freePlace({ x: 0, y: 0 }, CARD, [tall])).toEqual({ x: -264, y: 0 })
    expect(freePlace({ x: 1, y: 0 }, CARD, [tall])).toEqual({ x: 264, y: 0 })
    expect(freePlace({ x: 0, y: 0 }, CARD, [wide])).toEqual({ x: 0, y: -164 })
    expect(freePlace({ x: 0, y: 1 }, CARD, [wide])).toEqual({ x: 0, y: 164 })
  })
})
