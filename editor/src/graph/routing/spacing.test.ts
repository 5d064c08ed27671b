import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spaced } from './spacing'

describe('spaced', () => {
  it('leaves positions that are far enough apart, and spreads those that are not around their mean', () => {
    expect(spaced([0, 50, 100], [0, 20, 20])).toEqual([0, 50, 100])
    expect(spaced([10, 10], [0, 20])).toEqual([0, 20])
    expect(spaced([10, 10], [0, 20], [3, 1])).toEqual([5, 25])
    expect(spaced([], [])).toEqual([])
  })

  it('keeps every gap, and the mean of what was wanted', () => {
    const numbers = fc.array(fc.integer({ min: -500, max: 500 }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(numbers, fc.integer({ min: 0, max: 60 }), (wanted, gap) => {
        const found = spaced(
          wanted,
          wanted.map(() => gap),
        )
        for (const [at, one] of found.entries()) {
          if (at > 0) expect(one - (found[at - 1] as number)).toBeGreaterThan(gap - 1e-6)
        }
        const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0)
        expect(sum(found)).toBeCloseTo(sum(wanted), 3)
      }),
    )
  })
})
