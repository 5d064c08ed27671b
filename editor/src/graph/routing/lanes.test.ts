import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Card } from './card-grid'
import { distanceToPath, onCurve, pointOn } from './edge-path'
import { LaneRouter, lanesOf } from './lanes'
import type { Wire } from './wire'

const card = (id: string, x: number, y: number, height = 200): Card => ({ id, x, y, width: 232, height })

const wire = (source: Card, target: Card, port = 0): Wire => ({
  id: `${source.id}.${port}>${target.id}`,
  port: `${source.id}.${port}`,
  source: source.id,
  target: target.id,
  from: { x: source.x + 232, y: source.y + 52 + port * 24 },
  to: { x: target.x, y: target.y + 52 },
})

const pathOf = (one: Wire, lanes: ReturnType<typeof lanesOf>) => [
  one.from,
  ...(lanes.get(one.id) ?? []),
  one.to,
]

/** The cards that a path leads behind. */
const behind = (path: ReturnType<typeof pathOf>, cards: readonly Card[]) => {
  const points = Array.from({ length: 401 }, (_, at) => pointOn(path, at / 400))
  return cards.filter(({ x, y, width, height }) =>
    points.some((point) => point.x > x && point.x < x + width && point.y > y && point.y < y + height),
  )
}

describe('lanesOf', () => {
  const [start, wall, end] = [card('start', 0, 0), card('wall', 330, 0), card('end', 660, 0)]

  it('leads an edge around a card that stands between its ends', () => {
    const edge = wire(start, end)
    expect(behind([edge.from, edge.to], [wall])).toEqual([wall])
    const path = pathOf(edge, lanesOf([start, wall, end], [edge]))
    expect(behind(path, [wall])).toEqual([])
    expect(path.length).toBeGreaterThan(2)
  })

  it('leaves a curve that passes no card, and an edge that leads back', () => {
    const aside = card('aside', 330, 600)
    expect(lanesOf([start, aside, end], [wire(start, end)]).size).toBe(0)
    expect(lanesOf([start, wall, end], [wire(end, start)]).size).toBe(0)
  })

  it('takes the nearest free strip, and stays at its height over several columns', () => {
    const columns = [1, 2, 3].flatMap((at) =>
      [-3, -2, -1, 0, 1, 2, 3].map((row) => card(`c${at}.${row}`, at * 330, row * 244)),
    )
    const far = card('far', 4 * 330, 0)
    const points = lanesOf([start, ...columns, far], [wire(start, far)]).get('start.0>far') ?? []
    expect(points).toHaveLength(2)
    expect(points[0]?.y).toBe(points[1]?.y)
    expect(points[0]?.y).toBeGreaterThan(-44)
    expect(points[0]?.y).toBeLessThan(0)
  })

  it('gives edges of different ports lanes of their own, and edges of one port one lane', () => {
    const [upper, lower] = [card('upper', 660, -80), card('lower', 660, 160)]
    const wires = [wire(start, upper, 0), wire(start, lower, 0), wire(start, upper, 1)]
    const walls = [card('above', 330, -1022, 1000), card('below', 330, 22, 1000)]
    const lanes = lanesOf([start, upper, lower, ...walls], wires)
    const [first, second, third] = wires.map(({ id }) => lanes.get(id)?.[0]?.y as number)
    expect(first).toBe(second)
    expect(Math.abs((first as number) - (third as number))).toBeGreaterThanOrEqual(14)
  })

  it('leads an edge straight out of a column with a wider card, and straight into one', () => {
    const [below, above] = [
      { ...card('below', 0, 212), width: 290 },
      { ...card('above', 600, 3190), width: 292 },
    ]
    const low = card('low', 660, 3400)
    const edge = wire(start, low, 5)
    const path = pathOf(edge, lanesOf([start, below, above, low], [edge]))
    expect(behind([edge.from, edge.to], [below, above])).toEqual([below, above])
    expect(behind(path, [below, above])).toEqual([])
  })

  it('leaves the curve where cards stand too close to bend between them', () => {
    const close = card('close', 240, 0)
    expect(lanesOf([start, close, end], [wire(start, end)]).size).toBe(0)
  })

  it.each([
    ['below', 5, true],
    ['below', 6, true],
    ['below', 7, false],
    ['above', 5, true],
    ['above', 6, true],
    ['above', 7, false],
  ])('leads an edge around a card %s it that is %d pixels from it: %s', (side, distance, isLed) => {
    const edge = wire(start, end)
    const y = edge.from.y + (side === 'below' ? distance : -distance - 40)
    expect(lanesOf([start, card('near', 330, y, 40), end], [edge]).has(edge.id)).toBe(isLed)
  })

  it.each([
    ['right', 5, true],
    ['right', 8, false],
    ['left', 5, true],
    ['left', 8, false],
  ])('leads an edge around a card %s of its slope that is %d pixels from it: %s', (side, distance, isLed) => {
    const low = card('low', 660, 3000)
    const edge = wire(start, low)
    const middle = onCurve(edge.from, edge.to, 0.5)
    const near =
      side === 'right'
        ? card('near', middle.x + distance, middle.y - 100, 100)
        : card('near', middle.x - distance - 232, middle.y, 100)
    expect(lanesOf([start, near, low], [edge]).has(edge.id)).toBe(isLed)
  })

  it('leads an edge past a wider card of the column that it leaves, and of the one that it enters', () => {
    const low = card('low', 660, 3400)
    const edge = wire(start, low, 5)
    const wide = { ...card('wide', 0, 212), width: 290 }
    const early = { ...card('early', 600, 3190), width: 292 }
    for (const [one, places] of [
      [wide, [267, 302]],
      [early, [588, 624]],
    ] as const) {
      const points = lanesOf([start, one, low], [edge]).get(edge.id) ?? []
      expect(points.map(({ x }) => x)).toEqual(places)
      expect(behind([edge.from, edge.to], [one])).toEqual([one])
      expect(behind([edge.from, ...points, edge.to], [one])).toEqual([])
    }
  })

  it('leads straight out of a column to where the next begins, and into one from where the previous ends', () => {
    const edge = wire(start, end)
    const across = (wide: Card) =>
      (lanesOf([start, wide, wall, end], [edge]).get(edge.id) ?? []).map(({ x }) => x)
    expect(across({ ...card('wide', 0, 212), width: 600 })).toEqual([275, 318, 318, 574])
    expect(across({ ...card('early', 300, 212), width: 592 })).toEqual([318, 574, 574, 617])
  })

  it('bends no more for other cards of the columns that it leaves and enters', () => {
    const others = [card('below', 0, 212), card('beside', 660, 212)]
    const edge = wire(start, end)
    const alone = lanesOf([start, wall, end], [edge])
    expect(lanesOf([start, wall, end, ...others], [edge])).toEqual(alone)
    expect(alone.get(edge.id)?.map(({ x }) => x)).toEqual([318, 574])
  })

  it('does not bend between cards that are too near to each other', () => {
    const [lower, upper, far] = [card('lower', 330, 0), card('upper', 580, -200, 180), card('far', 900, 0)]
    const edge = wire(start, far)
    expect(lanesOf([start, lower, upper, far], [edge]).get(edge.id)).toEqual([
      { x: 318, y: 212 },
      { x: 824, y: 212 },
    ])
  })

  it('prefers a longer way to one more bend', () => {
    const [wall, low, far] = [card('wall', 330, -36, 166), card('low', 660, 149), card('far', 990, 0)]
    const edge = wire(start, far)
    const points = lanesOf([start, wall, low, far], [edge]).get(edge.id) ?? []
    expect(points.map(({ y }) => y)).toEqual([-48, -48])
  })

  it('routes the shortest edges first, and equally long ones by their ids', () => {
    const far = card('border', 990, 0)
    const [short, long] = [wire(start, end), wire(start, far)]
    const twin = wire(start, end, 1)
    for (let work = 1; work < 40; work++) {
      const led = (wires: Wire[]) => [...new LaneRouter(work).route([start, wall, end, far], wires).keys()]
      expect(led([long, short])).toEqual(led([short, long]))
      expect(led([long, short]).at(0) ?? short.id).toBe(short.id)
      expect(led([twin, short])).toEqual(led([short, twin]))
      expect(led([twin, short]).at(0) ?? short.id).toBe(short.id)
    }
  })

  it('leads no edge behind a card of any flow in columns', () => {
    const heights = fc.array(fc.integer({ min: 80, max: 400 }), { minLength: 1, maxLength: 7 })
    const flows = fc.tuple(
      fc.array(heights, { minLength: 3, maxLength: 7 }),
      fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat({ max: 2 })), { minLength: 1, maxLength: 25 }),
      fc.integer({ min: -300, max: 300 }),
    )
    fc.assert(
      fc.property(flows, ([columns, ends, slant]) => {
        const cards = columns.flatMap((own, column) => {
          let y = slant * column
          return own.map((height, row) => {
            const one = card(`${column}.${row}`, column * 328, y, height)
            y += height + 44
            return one
          })
        })
        const wires = ends.flatMap(([one, other, port]) => {
          const [source, target] = [cards[one % cards.length], cards[other % cards.length]]
          return source && target && source.x < target.x ? [wire(source, target, port)] : []
        })
        const lanes = lanesOf(cards, wires)
        for (const edge of wires) {
          const foreign = cards.filter(({ id }) => id !== edge.source && id !== edge.target)
          const path = pathOf(edge, lanes)
          expect(behind(path, foreign)).toEqual([])
          for (const point of path) expect(distanceToPath(point, path)).toBeCloseTo(0, 3)
        }
      }),
      { numRuns: 150 },
    )
  })
})

describe('LaneRouter', () => {
  const grid = (columns: number, rows: number) =>
    Array.from({ length: columns * rows }, (_, at) =>
      card(`${at}`, Math.floor(at / rows) * 328, (at % rows) * 244, 120 + ((at * 37) % 80)),
    )
  const moves = fc.array(
    fc.record({
      at: fc.nat(),
      x: fc.integer({ min: -400, max: 400 }),
      y: fc.integer({ min: -400, max: 400 }),
    }),
    { maxLength: 5 },
  )
  const ends = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat({ max: 2 })), { minLength: 1, maxLength: 30 })

  const works = fc.constantFrom(20, 100, 400, 100_000)

  it('gives the same lanes after any moves as routing everything again', () => {
    fc.assert(
      fc.property(ends, fc.array(moves, { minLength: 1, maxLength: 6 }), works, (pairs, steps, work) => {
        let cards = grid(6, 5)
        const router = new LaneRouter(work)
        for (const step of [[], ...steps]) {
          for (const { at, x, y } of step) {
            cards = cards.map((one, own) =>
              own === at % cards.length ? { ...one, x: one.x + x, y: one.y + y } : one,
            )
          }
          const wires = pairs.map(([one, other, port]) =>
            wire(cards[one % cards.length] as Card, cards[other % cards.length] as Card, port),
          )
          expect(router.route(cards, wires)).toEqual(new LaneRouter(work).route(cards, wires))
        }
      }),
      { numRuns: 200 },
    )
  })

  it('routes only what a move touches, and keeps the other results as they were', () => {
    const cards = grid(40, 25)
    const at = (index: number) => cards[index] as Card
    const wires = cards.flatMap((one, index) =>
      index + 50 < cards.length ? [wire(one, at(index + 50), index % 2)] : [],
    )
    const router = new LaneRouter()
    const before = router.route(cards, wires)
    expect(router.routed).toBe(wires.length)
    expect(router.route(cards, wires)).toEqual(before)
    expect(router.routed).toBe(0)
    const moved = cards.map((one) => (one === at(512) ? { ...one, y: one.y + 31 } : one))
    const movedWires = wires.map((one) =>
      one.source === '512' ? { ...one, from: { ...one.from, y: one.from.y + 31 } } : one,
    )
    const after = router.route(moved, movedWires)
    expect(router.routed).toBeGreaterThan(0)
    expect(router.routed).toBeLessThan(wires.length / 10)
    expect(after.get(wires[0]?.id ?? '')).toBe(before.get(wires[0]?.id ?? ''))
  })

  it('remembers also what it found before the work was used up', () => {
    const cards = grid(40, 25)
    const wires = cards.flatMap((one, index) =>
      index + 50 < cards.length ? [wire(one, cards[index + 50] as Card, index % 2)] : [],
    )
    const router = new LaneRouter(2_000)
    router.route(cards, wires)
    const all = router.routed
    expect(all).toBeLessThan(wires.length)
    router.route(cards, wires)
    expect(router.routed).toBeLessThanOrEqual(1)
  })

  describe('with little work', () => {
    const [start, wall, end] = [card('start', 0, 0), card('wall', 330, 0), card('end', 660, 0)]
    // Looks at three cards and itself, for its curve and for its lanes.
    const led = wire(start, end)
    const [left, right] = [card('left', 0, 5000), card('right', 300, 5000)]
    // Looks at its ends and itself, and remains a curve.
    const free = wire(left, right)
    const cards = [start, wall, end, left, right]

    it.each([
      [8, false],
      [9, true],
    ])('of %d cards leads an edge around a card: %s', (work, isLed) => {
      expect(new LaneRouter(work).route(cards, [led]).has(led.id)).toBe(isLed)
    })

    it.each([
      [3, 1],
      [4, 2],
    ])('of %d cards routes %d of two edges', (work, routed) => {
      const router = new LaneRouter(work)
      router.route(cards, [free, led])
      expect(router.routed).toBe(routed)
    })

    it('routes an edge again that was a curve because the work was used up', () => {
      const router = new LaneRouter(11)
      expect(router.route(cards, [free, led]).size).toBe(0)
      expect(router.route(cards, [led]).has(led.id)).toBe(true)
    })

    it('remembers an edge that left work for one more card', () => {
      const router = new LaneRouter(9)
      router.route(cards, [led])
      router.route(cards, [led])
      expect(router.routed).toBe(0)
    })

    it('makes a known edge a curve when other edges leave too little work for it', () => {
      const router = new LaneRouter(11)
      expect(router.route(cards, [led]).has(led.id)).toBe(true)
      expect(router.route(cards, [free, led]).has(led.id)).toBe(false)
    })
  })

  it('routes no edge that leads back or straight down', () => {
    const [start, end] = [card('start', 0, 0), card('end', 232, 600)]
    const router = new LaneRouter()
    router.route([start, end], [wire(start, end), wire(end, start)])
    expect(router.routed).toBe(0)
  })

  it('leads an edge that had no room to bend when a column far above it gives it some', () => {
    const [start, close, end] = [card('start', 0, 0), card('close', 240, 0), card('end', 660, 0)]
    const above = card('above', 330, -5000)
    const router = new LaneRouter()
    const edge = wire(start, end)
    expect(router.route([start, close, end], [edge]).size).toBe(0)
    expect(router.route([start, close, above, end], [edge])).toEqual(
      lanesOf([start, close, above, end], [edge]),
    )
  })
})
