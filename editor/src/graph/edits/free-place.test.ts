import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freePlace, GAP } from './free-place'

const CARD = { width: 232, height: 132 }
const at = (x: number, y: number) => ({ x, y, ...CARD })

const coordinate = fc.integer({ min: -1500, max: 1500 })
const quarters = (min: number, max: number) =>
  fc.integer({ min: 4 * min, max: 4 * max }).map((one) => one / 4)
const box = fc.record({
  x: quarters(-1500, 1500),
  y: coordinate,
  width: fc.integer({ min: 1, max: 500 }),
  height: quarters(1, 400),
})

describe('a free place', () => {
  it('is the wanted one where nothing lies', () => {
    expect(freePlace({ x: 10.4, y: 20 }, CARD, [at(600, 20)])).toEqual({ x: 10, y: 20 })
  })

  it('is the nearest one beside what lies there', () => {
    expect(freePlace({ x: 0, y: 20 }, CARD, [at(0, 0)])).toEqual({ x: 0, y: CARD.height + GAP })
    expect(freePlace({ x: 200, y: 0 }, CARD, [at(0, 0)])).toEqual({ x: CARD.width + GAP, y: 0 })
  })

  it('fills a gap that is just wide enough', () => {
    const [left, right] = [at(0, 0), at(2 * (CARD.width + GAP), 0)]
    expect(freePlace({ x: 250, y: 0 }, CARD, [left, right])).toEqual({ x: CARD.width + GAP, y: 0 })
  })

  it('leads out of a crowd', () => {
    const crowd = Array.from({ length: 900 }, (_, one) => at((one % 30) * 240, Math.floor(one / 30) * 140))
    const { x, y } = freePlace({ x: 3600, y: 2100 }, CARD, crowd)
    expect(x < -232 || y < -132 || x > 30 * 240 || y > 30 * 140).toBe(true)
  })

  it('never lies on anything, whatever lies about', () => {
    fc.assert(
      fc.property(coordinate, coordinate, fc.array(box, { maxLength: 40 }), (x, y, others) => {
        const place = freePlace({ x, y }, CARD, others)
        for (const other of others) {
          const beside = place.x + CARD.width + GAP <= other.x || other.x + other.width + GAP <= place.x
          const above = place.y + CARD.height + GAP <= other.y || other.y + other.height + GAP <= place.y
          expect(beside || above).toBe(true)
        }
      }),
    )
  })
})
