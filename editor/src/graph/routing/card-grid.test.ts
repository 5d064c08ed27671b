import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Card, CardGrid } from './card-grid'

const place = fc.integer({ min: -1200, max: 1200 })
const length = fc.integer({ min: 0, max: 700 })
const cards = fc
  .array(fc.record({ x: place, y: place, width: length, height: length }), { maxLength: 40 })
  .map((boxes) => boxes.map((box, at): Card => ({ id: `${at}`, ...box })))

describe('the cards in an area', () => {
  it('are those that have a point in common with it, its border too', () => {
    fc.assert(
      fc.property(cards, place, length, place, length, (all, left, width, top, height) => {
        const [right, bottom] = [left + width, top + height]
        const found = new CardGrid(all).within(left, right, top, bottom)
        const isIn = ({ x, y, width: wide, height: high }: Card) =>
          x <= right && x + wide >= left && y <= bottom && y + high >= top
        const ids = (some: readonly Card[]) => some.map(({ id }) => id).sort()
        expect(ids(found)).toEqual(ids(all.filter(isIn)))
      }),
      { numRuns: 300 },
    )
  })

  it('are found where they touch it with a corner', () => {
    const grid = new CardGrid([{ id: 'a', x: 256, y: 100, width: 512, height: 300 }])
    expect(grid.within(768, 900, 400, 500)).toHaveLength(1)
    expect(grid.within(769, 900, 400, 500)).toEqual([])
    expect(grid.within(0, 256, 0, 100)).toHaveLength(1)
    expect(grid.within(0, 256, 0, 99)).toEqual([])
  })

  it('are no more than a limit, and what its last column adds', () => {
    const rows = Array.from({ length: 30 }, (_, at) => ({
      id: `${at}`,
      x: Math.floor(at / 3) * 256,
      y: (at % 3) * 100,
      width: 200,
      height: 80,
    }))
    expect(new CardGrid(rows).within(0, 9999, 0, 9999, 3)).toHaveLength(6)
    expect(new CardGrid(rows).within(0, 9999, 0, 9999, 0)).toHaveLength(3)
    expect(new CardGrid(rows).within(0, 9999, 0, 9999)).toHaveLength(30)
  })
})
