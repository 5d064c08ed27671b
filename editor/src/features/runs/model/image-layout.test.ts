import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Box, GAP, layOutImages } from './image-layout'

const WIDE = 16 / 9

function overlap(a: Box, b: Box): boolean {
  const apart = 0.5
  return (
    a.x + a.width > b.x + apart &&
    b.x + b.width > a.x + apart &&
    a.y + a.height > b.y + apart &&
    b.y + b.height > a.y + apart
  )
}

describe('images of a gallery', () => {
  it('are whole, apart and inside the page, for any aspect ratios', () => {
    const shapes = fc.array(fc.double({ min: 0.4, max: 2.5, noNaN: true }), { minLength: 1, maxLength: 14 })
    fc.assert(
      fc.property(shapes, fc.integer({ min: 320, max: 1600 }), (ratios, width) => {
        const { boxes, height } = layOutImages(ratios, width)
        expect(boxes).toHaveLength(ratios.length)
        for (const [index, box] of boxes.entries()) {
          expect(box.width / box.height).toBeCloseTo(ratios[index] ?? 0, 4)
          expect(box.x + box.width).toBeLessThanOrEqual(width + 0.5)
          expect(box.y + box.height).toBeLessThanOrEqual(height + 0.5)
          expect(boxes.slice(index + 1).some((other) => overlap(box, other))).toBe(false)
        }
      }),
    )
  })

  it('are led by the first one when there are few', () => {
    const { boxes, height } = layOutImages([WIDE, WIDE, WIDE], 1180)
    const [hero, upper, lower] = boxes
    expect(hero?.width).toBeGreaterThan(2 * (upper?.width ?? 0))
    expect((lower?.y ?? 0) + (lower?.height ?? 0)).toBeCloseTo(height, 4)
    expect((upper?.x ?? 0) + (upper?.width ?? 0)).toBeCloseTo(1180, 4)
  })

  it('are in flush rows when they are tall or many', () => {
    const tall = layOutImages([0.8, 0.8, 0.8, 0.8, 0.8], 1180)
    expect(new Set(tall.boxes.map(({ y }) => y)).size).toBe(1)
    const many = layOutImages(
      Array.from({ length: 9 }, () => 1),
      1180,
    )
    const starts = [...new Set(many.boxes.map(({ y }) => y))]
    const rows = starts.map((start) => many.boxes.filter(({ y }) => y === start))
    expect(rows.map((row) => row.length)).toEqual([5, 4])
    for (const row of rows) {
      const ends = row.at(-1)
      expect((ends?.x ?? 0) + (ends?.width ?? 0)).toBeCloseTo(1180, 4)
    }
  })

  it('are stacked on phones', () => {
    const { boxes } = layOutImages([WIDE, WIDE, WIDE], 358)
    expect(boxes[0]).toMatchObject({ x: 0, y: 0 })
    expect(boxes[0]?.width).toBeCloseTo(358, 4)
    expect(boxes[1]?.y).toBeCloseTo(358 / WIDE + GAP, 4)
  })

  it('have no positions before the page has a width', () => expect(layOutImages([1], 0).boxes).toEqual([]))
})
