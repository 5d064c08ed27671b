import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { separated } from './lane-order'
import type { Run } from './wire'

/** A run of an edge between two ports through a strip, whose lane wants the height `y`. */
function run(port: string, y: number, more: Partial<Run> & { from?: number; to?: number } = {}): Run {
  const { from = y, to = y, ...rest } = more
  const ends = { source: 'a', target: 'b', from: { x: 0, y: from }, to: { x: 900, y: to } }
  const wire = { id: `${port}>${to}`, port, ...ends }
  return { wire, strip: 'a>b', left: 300, right: 500, low: 0, high: 100, y, ...rest }
}

const heights = (runs: readonly Run[]) => runs.map(({ y }) => y)

describe('the lanes of one strip', () => {
  it('stay where they are wanted if they are apart', () => {
    const runs = [run('a', 10), run('b', 24), run('c', 90)]
    separated(runs.map((one) => [one]))
    expect(heights(runs)).toEqual([10, 24, 90])
  })

  it('are 14 pixels apart where they are wanted at one height, the edge that comes from above above', () => {
    const runs = [run('a', 50, { from: 80 }), run('b', 50, { from: 20 }), run('c', 50, { to: 70 })]
    separated(runs.map((one) => [one]))
    expect(heights(runs)).toEqual([64, 36, 50])
  })

  it('share what room there is, from one card to the other', () => {
    const narrow = { low: 40, high: 52 }
    const runs = ['a', 'b', 'c', 'd'].map((port, at) => run(port, 40, { ...narrow, to: at }))
    separated(runs.map((one) => [one]))
    expect(heights(runs)).toEqual([40, 44, 48, 52])
    const one = run('a', 99, narrow)
    separated([[one]])
    expect(one.y).toBe(52)
  })

  it('is one for the edges of one port, at the mean of what they want', () => {
    const runs = [run('a', 20), run('a', 40), run('b', 90)]
    separated(runs.map((one) => [one]))
    expect(heights(runs)).toEqual([30, 30, 90])
  })

  it('are left alone where no lane fits', () => {
    const runs = [run('a', 50, { low: 60, high: 40 }), run('b', 50, { low: 60, high: 40 })]
    separated(runs.map((one) => [one]))
    expect(heights(runs)).toEqual([50, 50])
  })

  it('are in order, within the strip, and as far apart as it allows', () => {
    const wanted = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(wanted, fc.nat({ max: 50 }), fc.integer({ min: 50, max: 100 }), (places, low, high) => {
        const runs = places.map((y, at) => run(`${at}`, y, { low, high, to: at }))
        separated(runs.map((one) => [one]))
        const sorted = heights(runs).toSorted((one, other) => one - other)
        const gap = Math.min(14, (high - low) / Math.max(1, places.length - 1))
        for (const [at, y] of sorted.entries()) {
          expect(y).toBeGreaterThan(low - 1e-6)
          expect(y).toBeLessThan(high + 1e-6)
          if (at > 0) expect(y - (sorted[at - 1] as number)).toBeGreaterThan(gap - 1e-6)
        }
        // Without room all lanes are at one height, so that only the opposite order is wrong.
        const order = places.map((place, at) => [place, at] as const)
        order.sort(([one, at], [other, otherAt]) => one - other || at - otherAt)
        const inOrder = order.map(([, at]) => runs[at]?.y ?? Number.NaN)
        for (const [at, y] of inOrder.entries()) {
          if (at > 0) expect(y).toBeGreaterThan((inOrder[at - 1] as number) - 1e-6)
        }
      }),
      { examples: [[[1, 0], 50, 50]] },
    )
  })
})

describe('the lane of an edge over several strips', () => {
  it('stays at the height of the strip before where it is wanted straight', () => {
    const first = [run('a', 50, { to: 10 }), run('b', 50, { to: 90 })]
    const next = { strip: 'c>d', left: 600, right: 800 }
    const later = run('a', 50, { to: 10, ...next })
    separated([[first[0] as Run, later], [first[1] as Run]])
    expect(heights(first)).toEqual([43, 57])
    expect(later.y).toBe(43)
    const bent = run('a', 20, next)
    separated([[run('a', 50), bent]])
    expect(bent.y).toBe(20)
  })

  it('does not depend on which edge of a strip is listed first', () => {
    const routes = () => [
      [run('a', 50, { strip: 'c>d', left: 600, right: 800 })],
      [run('b', 50, { left: 290 }), run('b', 50, { strip: 'c>d', left: 600, right: 800 })],
      [run('a', 50, { to: 10 })],
    ]
    const [one, other] = [routes(), routes()]
    separated(one)
    separated(other.toReversed())
    expect(one.flat().map(({ y }) => y)).toEqual(other.flat().map(({ y }) => y))
  })
})
