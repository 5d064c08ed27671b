import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distanceToPath, extentOf, onCurve, overlaps, pointOn, svgPath } from './edge-path'

const bent = [
  { x: 0, y: 0 },
  { x: 100, y: 200 },
  { x: 300, y: 200 },
  { x: 400, y: 0 },
]

describe('the path of an edge', () => {
  it('passes each of its points, and is straight between points at one height', () => {
    for (const point of bent) expect(distanceToPath(point, bent)).toBe(0)
    expect(pointOn(bent, 0.5)).toEqual({ x: 200, y: 200 })
    expect(distanceToPath({ x: 200, y: 230 }, bent)).toBe(30)
    const straight = bent.slice(1, 3)
    expect([40, 360].map((x) => distanceToPath({ x, y: 200 }, straight))).toEqual([60, 60])
    expect(pointOn(bent, 0)).toEqual(bent[0])
    expect(pointOn(bent, 1)).toEqual(bent[3])
  })

  it('has no length and no points without points, and stays at its ends beyond them', () => {
    expect(pointOn([], 0.5)).toEqual({ x: 0, y: 0 })
    expect([pointOn(bent, -1), pointOn(bent, 2)]).toEqual([bent[0], bent[3]])
    expect(pointOn(bent, 0.25)).toEqual(bent[1])
    expect(distanceToPath({ x: 0, y: 0 }, [])).toBe(Number.POSITIVE_INFINITY)
    const upright = [
      { x: 0, y: 0 },
      { x: 0, y: 10 },
    ]
    expect(pointOn(upright, 0.5)).toEqual({ x: 0, y: 5 })
    expect(distanceToPath({ x: 3, y: 5 }, upright)).toBeCloseTo(3)
  })

  it('is drawn as one curve between two points', () => {
    expect(svgPath(bent.slice(0, 2))).toBe('M0,0C50,0,50,200,100,200')
    expect(svgPath(bent).match(/C/g)).toHaveLength(3)
    expect(svgPath([])).toBe('')
  })

  it('goes beyond its ends where it leads back', () => {
    const back = [
      { x: 400, y: 0 },
      { x: 0, y: 0 },
    ]
    expect(svgPath(back)).toBe('M400,0C600,0,-200,0,0,0')
    expect(extentOf(back)).toEqual({ left: -200, right: 600, top: 0, bottom: 0 })
  })
})

describe('extents', () => {
  const box = { left: 0, top: 0, right: 100, bottom: 100 }
  const line = (x1: number, y1: number, x2: number, y2: number) =>
    extentOf([
      { x: x1, y: y1 },
      { x: x2, y: y2 },
    ])

  it('overlap if the path crosses the box though both its ends are outside', () => {
    expect(overlaps(line(-50, 50, 150, 50), box)).toBe(true)
    expect(overlaps(line(-50, 50, -10, 50), box)).toBe(false)
    expect(overlaps(line(10, 120, 90, 300), box)).toBe(false)
  })

  it('overlap where they touch, on any side', () => {
    const at = (left: number, top: number) => ({ left, top, right: left + 10, bottom: top + 10 })
    const touching = [at(-10, 50), at(100, 50), at(50, -10), at(50, 100)]
    expect(touching.map((one) => [overlaps(one, box), overlaps(box, one)])).not.toContainEqual([false, false])
    for (const one of touching) expect([overlaps(one, box), overlaps(box, one)]).toEqual([true, true])
    const beside = [at(-11, 50), at(101, 50), at(50, -11), at(50, 101)]
    for (const one of beside) expect([overlaps(one, box), overlaps(box, one)]).toEqual([false, false])
  })

  it('hold every point of a path, and no more than the control points of its curves', () => {
    const point = fc.record({
      x: fc.integer({ min: -500, max: 500 }),
      y: fc.integer({ min: -500, max: 500 }),
    })
    fc.assert(
      fc.property(
        fc.array(point, { minLength: 2, maxLength: 5 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (path, share) => {
          const { left, right, top, bottom } = extentOf(path)
          const { x, y } = pointOn(path, share)
          expect([x >= left - 1e-6, x <= right + 1e-6, y >= top - 1e-6, y <= bottom + 1e-6]).not.toContain(
            false,
          )
          const heights = path.map((one) => one.y)
          expect([top, bottom]).toEqual([Math.min(...heights), Math.max(...heights)])
        },
      ),
    )
  })
})

describe('one curve', () => {
  const [from, to] = [
    { x: 0, y: 0 },
    { x: 100, y: 40 },
  ]
  const back = { x: -100, y: 40 }

  it.each([
    [0, { x: 0, y: 0 }],
    [0.25, { x: 29.6875, y: 6.25 }],
    [0.5, { x: 50, y: 20 }],
    [1, { x: 100, y: 40 }],
  ])('passes at %f of it the point %j', (share, point) => {
    expect(onCurve(from, to, share)).toEqual(point)
    expect(pointOn([from, to], share)).toEqual(point)
  })

  it('reaches beyond its ends where it leads back, and not where it leads straight down', () => {
    expect(svgPath([from, back])).toBe('M0,0C100,0,-200,40,-100,40')
    expect(svgPath([from, { x: 0, y: 40 }])).toBe('M0,0C0,0,0,40,0,40')
    expect(svgPath([from, { x: 1, y: 40 }])).toBe('M0,0C0.5,0,0.5,40,1,40')
    expect(extentOf([from, back])).toEqual({ left: -200, right: 100, top: 0, bottom: 40 })
  })

  it('has its exact distance to a point, also between its samples', () => {
    // On the curve, between two of its samples.
    expect(distanceToPath(onCurve(from, to, 0.3), [from, to])).toBeLessThan(0.05)
    // A curve between points at one height that leads back is no line.
    const level = [from, { x: -100, y: 0 }]
    expect(distanceToPath({ x: 20, y: 0 }, level)).toBeLessThan(0.5)
    expect(distanceToPath({ x: 40, y: 0 }, level)).toBeCloseTo(19.6, 0)
    expect(distanceToPath({ x: 3, y: 4 }, [from, from])).toBe(5)
  })
})

it('a curve straight down has the share of a path that a curve one pixel wide has', () => {
  const path = [
    { x: 0, y: 0 },
    { x: 0, y: 8 },
    { x: 3, y: 8 },
  ]
  expect(pointOn(path, 0.125)).toEqual({ x: 0, y: 4 })
  expect(pointOn(path, 0.25)).toEqual({ x: 0, y: 8 })
  expect(pointOn(path, 0.625)).toEqual({ x: 1.5, y: 8 })
})
