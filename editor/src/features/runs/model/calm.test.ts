import { describe, expect, it } from 'vitest'
import { calmCorner, type Grey } from './calm'

/** A plain picture, with stripes as fine as writing between two shares of its width, along the lower edge. */
function picture(...stripes: [from: number, to: number][]): Grey {
  const [width, height] = [50, 50]
  const values = Array.from({ length: width * height }, (_, index) => {
    const [x, y] = [(index % width) / width, Math.floor(index / width) / height]
    const striped = y > 0.85 && stripes.some(([from, to]) => x >= from && x < to)
    return striped && index % 2 === 0 ? 20 : 200
  })
  return { width, height, values }
}

describe('the corner for a label', () => {
  it('is the left one where nothing is written there', () => {
    expect(calmCorner(picture())).toBe('left')
    expect(calmCorner(picture([0.6, 1]))).toBe('left')
  })

  it('is the right one beside writing', () => expect(calmCorner(picture([0, 0.5]))).toBe('right'))

  it('is none where writing runs from side to side', () =>
    expect(calmCorner(picture([0.05, 0.95]))).toBeNull())

  it('takes no notice of what is further up', () => {
    const plain = picture()
    const values = Array.from(plain.values, (value, index) => (index < 2000 && index % 2 === 0 ? 0 : value))
    expect(calmCorner({ ...plain, values })).toBe('left')
  })
})
