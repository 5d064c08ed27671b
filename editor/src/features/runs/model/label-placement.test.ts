import { describe, expect, it } from 'vitest'
import { type Grayscale, quietCorner, visiblePart } from './label-placement'

/** A plain image with fine stripes, like text, between two fractions of its width along the lower edge. */
function image(...stripes: [from: number, to: number][]): Grayscale {
  const [width, height] = [50, 50]
  const values = Array.from({ length: width * height }, (_, index) => {
    const [x, y] = [(index % width) / width, Math.floor(index / width) / height]
    const striped = y > 0.85 && y < 0.92 && stripes.some(([from, to]) => x >= from && x < to)
    return striped && index % 2 === 0 ? 20 : 200
  })
  return { width, height, values }
}

const LABEL = { width: 0.42, height: 0.13 }

describe('the corner for a label', () => {
  it('is the left one where there is no detail', () => {
    expect(quietCorner(image(), LABEL)).toBe('left')
    expect(quietCorner(image([0.6, 1]), LABEL)).toBe('left')
  })

  it('is the right one beside detail on the left', () =>
    expect(quietCorner(image([0, 0.5]), LABEL)).toBe('right'))

  it('is none if detail reaches across the width', () =>
    expect(quietCorner(image([0.05, 0.95]), LABEL)).toBeNull())

  it('is none over little detail if the label is as wide as a small image', () => {
    const written = image([0.05, 0.6])
    expect(quietCorner(written, { width: 0.38, height: 0.13 })).toBe('right')
    expect(quietCorner(written, { width: 0.65, height: 0.13 })).toBeNull()
  })

  it('depends on the height of the label', () => {
    expect(quietCorner(image([0, 1]), { width: 0.42, height: 0.05 })).toBe('left')
  })

  it('ignores detail further up', () => {
    const plain = image()
    const values = Array.from(plain.values, (value, index) => (index < 2000 && index % 2 === 0 ? 0 : value))
    expect(quietCorner({ ...plain, values }, LABEL)).toBe('left')
  })
})

describe('the visible part of an image', () => {
  it('is all of it in a frame of the same aspect ratio', () =>
    expect(visiblePart({ width: 400, height: 500 }, { width: 80, height: 100 })).toEqual({
      x: 0,
      y: 0,
      width: 400,
      height: 500,
    }))

  it('is its center in a frame of another aspect ratio', () =>
    expect(visiblePart({ width: 400, height: 500 }, { width: 100, height: 100 })).toEqual({
      x: 0,
      y: 50,
      width: 400,
      height: 400,
    }))
})
