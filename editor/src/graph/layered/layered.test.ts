import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crossingsOf, gainOfSwap, placeOf } from './crossings'
import { setHeights } from './heights'
import { type Layer, layersOf, type Vertex } from './layers'
import { orderLayers } from './order'
import { type Arc, ranksOf, withoutCycles } from './ranks'

const HEIGHT = 100
const arc = (from: number, to: number, fromY = 50, toY = 50): Arc => ({
  ...{ from, to, fromY, toY },
  port: `${from}.${fromY}`,
})
const sizes = (count: number, height = HEIGHT) =>
  Array.from({ length: count }, () => ({ width: 232, height }))
const itemsIn = (layers: readonly Layer[]) => layers.map((layer) => layer.map(({ item }) => item))

/** Items in the given columns, and edges between neighbouring columns. */
function columnsOf(columns: readonly (readonly number[])[], arcs: readonly Arc[], height = HEIGHT): Layer[] {
  const ranks: number[] = []
  for (const [rank, items] of columns.entries()) for (const item of items) ranks[item] = rank
  return layersOf(sizes(ranks.length, height), arcs, ranks)
}

/** Few heights, so that edges often share a port. */
const heights = fc.constantFrom(0, 30, 60, HEIGHT)

/** Two or three columns of items, and edges from each column to the next at any height of the cards. */
const flowsOf = (most: number) =>
  fc
    .tuple(
      fc.array(fc.integer({ min: 1, max: most }), { minLength: 2, maxLength: 3 }),
      fc.array(fc.tuple(fc.nat(), fc.nat(), heights, heights), {
        maxLength: 12,
      }),
    )
    .map(([counts, ends]) => {
      let next = 0
      const columns = counts.map((count) => Array.from({ length: count }, () => next++))
      const arcs = ends.map(([one, other, fromY, toY]) => {
        const [left = [], right = []] = columns.slice(one % (columns.length - 1))
        return arc(left[other % left.length] as number, right[one % right.length] as number, fromY, toY)
      })
      return { columns, arcs }
    })

/** The crossings counted pair by pair: of two segments, one starts above the other and ends below it. */
function countedByPairs(layers: readonly Layer[]): number {
  const segments = layers.map((layer) =>
    layer.flatMap((to) => to.before.map((link) => ({ start: placeOf(link), end: to.at + link.y / 1000 }))),
  )
  return segments.flatMap((own) =>
    own.flatMap((one) => own.filter((other) => one.start < other.start && one.end > other.end)),
  ).length
}

function swap(layer: Layer, at: number): void {
  const [upper, lower] = [layer[at] as Vertex, layer[at + 1] as Vertex]
  layer[at] = lower
  layer[at + 1] = upper
  lower.at = at
  upper.at = at + 1
}

describe('the columns of a flow', () => {
  it('put each item right of all that it takes from', () => {
    expect(ranksOf(4, [arc(0, 1), arc(1, 2), arc(0, 2), arc(2, 3), arc(0, 3)])).toEqual([0, 1, 2, 3])
  })

  it('put what takes nothing, or gives more than it takes, directly before the first that takes from it', () => {
    const chain = [arc(0, 1), arc(1, 2), arc(2, 3)]
    expect(ranksOf(5, [...chain, arc(4, 3)])[4]).toBe(2)
    expect(ranksOf(5, [...chain, arc(0, 4), arc(4, 3, 20), arc(4, 3, 80)])[4]).toBe(2)
  })

  it('put what gives as much as it takes directly behind that', () => {
    expect(ranksOf(5, [arc(0, 1), arc(1, 2), arc(2, 3), arc(0, 4), arc(4, 3)])[4]).toBe(1)
  })

  it('begin with the first column that has an item', () => {
    expect(ranksOf(3, [arc(1, 2)])).toContain(0)
    expect(Math.min(...ranksOf(4, [arc(0, 1), arc(0, 2), arc(2, 1), arc(3, 1)]))).toBe(0)
  })

  it('need no edge from an item to itself, and none that closes a cycle', () => {
    const forward = [arc(0, 1), arc(1, 2), arc(0, 2)]
    expect(withoutCycles(3, [...forward, arc(1, 1), arc(2, 0)])).toEqual(forward)
  })
})

describe('the places of edges in the columns that they pass', () => {
  it('lead from the one end to the other', () => {
    const [first, ...passed] = layersOf(sizes(2), [arc(0, 1, 30, 70)], [0, 3])
    let vertex = first?.[0] as Vertex
    for (const layer of passed) {
      const [link] = vertex.after
      expect(link?.to).toBe(layer[0])
      expect(layer[0]?.before).toEqual([{ to: vertex, y: link?.toY, toY: link?.y, weight: link?.weight }])
      vertex = layer[0] as Vertex
    }
    expect(itemsIn(passed)).toEqual([[null], [null], [1]])
    expect([first?.[0]?.after[0]?.y, vertex.before[0]?.y]).toEqual([30, 70])
  })

  it('are shared by the edges of one port as far as they go together', () => {
    const layers = layersOf(sizes(4), [arc(0, 3), arc(0, 2), arc(0, 1)], [0, 1, 3, 4])
    expect(itemsIn(layers)).toEqual([[0], [1, null], [null], [2, null], [3]])
    const apart = layersOf(sizes(3), [arc(0, 1, 20), arc(0, 2, 60)], [0, 2, 2])
    expect(itemsIn(apart)).toEqual([[0], [null, null], [1, 2]])
  })

  it('weigh a passage over several columns most, then the ends of it, then an edge to the next column', () => {
    const [start, , second] = layersOf(sizes(3), [arc(0, 1, 20), arc(0, 2, 80)], [0, 3, 1])
    const [long, short] = start?.[0]?.after ?? []
    const passing = second?.[0]?.before[0]
    expect(short?.to.item).toBe(2)
    expect(long?.weight).toBeGreaterThan(short?.weight ?? 0)
    expect(passing?.weight).toBeGreaterThan(long?.weight ?? 0)
  })

  it('are in the order of the ports, from top to bottom', () => {
    const arcs = [arc(0, 2, 80, 10), arc(0, 3, 20), arc(1, 2, 50, 90), arc(0, 2, 50, 40)]
    const [[first] = [], [second] = []] = layersOf(sizes(4), arcs, [0, 0, 1, 1])
    expect(first?.after.map(({ y }) => y)).toEqual([20, 50, 80])
    expect(second?.before.map(({ y }) => y)).toEqual([10, 40, 90])
  })

  it('are at most 4,000: the longest edges have none if there would be more', () => {
    const passes = (layers: readonly Layer[]) => layers.flat().filter(({ item }) => item === null).length
    expect(passes(layersOf(sizes(2), [arc(0, 1)], [0, 4001]))).toBe(4000)
    expect(passes(layersOf(sizes(2), [arc(0, 1)], [0, 4002]))).toBe(0)
    const both = layersOf(sizes(4), [arc(0, 1), arc(2, 3)], [0, 3001, 0, 1002])
    expect(passes(both)).toBe(1001)
    expect(both[0]?.map(({ after }) => after.length)).toEqual([0, 1])
  })
})

describe('crossings', () => {
  it('depend on the order of the cards first, then on how far down the port is', () => {
    const layers = columnsOf([[0, 1], [2]], [arc(0, 2, 25), arc(1, 2, 75), arc(1, 2, HEIGHT)])
    expect(layers[1]?.[0]?.before.map(placeOf)).toEqual([0.25, 1.75, 1.99])
    const passing = layersOf(sizes(2), [arc(0, 1)], [0, 2])
    expect(passing[2]?.[0]?.before.map(placeOf)).toEqual([0.5])
  })

  it('are counted as pair by pair, for any flow', () => {
    fc.assert(
      fc.property(flowsOf(5), ({ columns, arcs }) => {
        const layers = columnsOf(columns, arcs)
        expect(crossingsOf(layers)).toBe(countedByPairs(layers))
      }),
      { numRuns: 300 },
    )
  })

  it('become fewer by the gain of a swap', () => {
    fc.assert(
      fc.property(flowsOf(5), fc.nat(), fc.nat(), ({ columns, arcs }, column, row) => {
        const layers = columnsOf(columns, arcs)
        const layer = layers[column % layers.length] as Layer
        if (layer.length < 2) return
        const at = row % (layer.length - 1)
        const before = crossingsOf(layers)
        const gain = gainOfSwap(layer[at] as Vertex, layer[at + 1] as Vertex)
        swap(layer, at)
        expect(crossingsOf(layers)).toBe(before - gain)
      }),
      { numRuns: 300 },
    )
  })
})

describe('the order in the columns', () => {
  const ordersOf = <T>(items: readonly T[]): T[][] =>
    items.length === 0
      ? [[]]
      : items.flatMap((item, at) => ordersOf(items.toSpliced(at, 1)).map((others) => [item, ...others]))

  /** The fewest crossings that any order of the columns has. */
  function fewest(layers: readonly Layer[], column = 0): number {
    const layer = layers[column]
    if (!layer) return crossingsOf(layers)
    const found = ordersOf(layer).map((order) => {
      for (const [at, vertex] of order.entries()) {
        layer[at] = vertex
        vertex.at = at
      }
      return fewest(layers, column + 1)
    })
    return Math.min(...found)
  }

  it('has hardly more crossings than the best order has, over many small flows', () => {
    const found = { crossings: 0, fewest: 0 }
    for (const { columns, arcs } of fc.sample(flowsOf(4), { numRuns: 100, seed: 3 })) {
      const layers = columnsOf(columns, arcs)
      orderLayers(layers)
      found.crossings += crossingsOf(layers)
      found.fewest += fewest(layers)
    }
    expect(found.crossings / found.fewest).toBeLessThan(1.11)
  })
})

describe('the heights in the columns', () => {
  const heightsOf = (layers: readonly Layer[]) => {
    setHeights(layers)
    return new Map(layers.flat().map((vertex) => [vertex.item, vertex.y]))
  }

  it('keep space between two cards, less beside an edge that passes, and least between two such edges', () => {
    const layers = layersOf(sizes(6), [arc(2, 4, 20), arc(3, 5, 20)], [1, 1, 0, 0, 2, 2])
    setHeights(layers)
    const [first, second, upper, lower] = layers[1] as Layer
    expect([first?.item, second?.item, upper?.item, lower?.item]).toEqual([0, 1, null, null])
    expect((second?.y ?? 0) - (first?.y ?? 0) - HEIGHT).toBeGreaterThanOrEqual(44)
    expect((upper?.y ?? 0) - (second?.y ?? 0) - HEIGHT).toBeCloseTo(22)
    expect((lower?.y ?? 0) - (upper?.y ?? 0)).toBeGreaterThanOrEqual(14)
  })

  it('make each edge of a chain straight from port to port', () => {
    const at = heightsOf(columnsOf([[0], [1], [2]], [arc(0, 1, 80, 20), arc(1, 2, 50, 90)]))
    expect((at.get(0) ?? 0) + 80).toBeCloseTo((at.get(1) ?? 0) + 20, 1)
    expect((at.get(1) ?? 0) + 50).toBeCloseTo((at.get(2) ?? 0) + 90, 1)
  })

  it('keep an edge straight where it passes columns', () => {
    const chain = [arc(0, 1), arc(1, 2), arc(2, 3)]
    const layers = layersOf(sizes(4), [...chain, arc(0, 3, 90, 20)], [0, 1, 2, 3])
    setHeights(layers)
    const [first, second] = layers.flat().filter(({ item }) => item === null)
    expect(first?.y).toBeCloseTo(second?.y ?? 0, 0)
  })

  it('put a card in the middle of those that it takes from and gives to', () => {
    const at = heightsOf(columnsOf([[0, 1], [2], [3, 4, 5]], [arc(0, 2), arc(1, 2), arc(2, 3), arc(2, 5)]))
    const y = (item: number) => at.get(item) ?? Number.NaN
    expect(y(2)).toBeCloseTo((y(0) + y(1)) / 2, 1)
    expect(y(2)).toBeCloseTo((y(3) + y(5)) / 2, 1)
    expect(y(4)).toBeCloseTo(y(2), 1)
  })

  it('are nearest to straight for all edges together', () => {
    const bend = (layers: readonly Layer[]) =>
      layers
        .flat()
        .flatMap(({ y, after }) =>
          after.map((link) => link.weight * (y + link.y - link.to.y - link.toY) ** 2),
        )
        .reduce((sum, one) => sum + one, 0)
    const isApart = (layer: Layer) =>
      layer.every(({ y }, at) => y - (layer[at - 1]?.y ?? -Infinity) >= HEIGHT + 44)
    for (const { columns, arcs } of fc.sample(flowsOf(4), { numRuns: 50, seed: 7 })) {
      const layers = columnsOf(columns, arcs)
      setHeights(layers)
      const found = bend(layers)
      const moves = layers.flatMap((layer) =>
        layer.flatMap((vertex) => [-4, 4].map((by) => ({ layer, vertex, by }))),
      )
      for (const { layer, vertex, by } of moves) {
        vertex.y += by
        if (isApart(layer)) expect(bend(layers)).toBeGreaterThan(found - 0.01)
        vertex.y -= by
      }
    }
  })
})

it('edges of one port share the places where they pass columns', () => {
  const layers = layersOf(sizes(4), [arc(0, 2), arc(0, 3)], [0, 1, 2, 3])
  expect(itemsIn(layers)).toEqual([[0], [1, null], [2, null], [3]])
  const nameOf = (vertex: Vertex) => vertex.item ?? `pass ${layers.findIndex((one) => one.includes(vertex))}`
  const segments = [
    { from: 0, to: 'pass 1', y: 50, toY: 0, weight: 2 },
    { from: 'pass 1', to: 2, y: 0, toY: 50, weight: 2 },
    { from: 'pass 1', to: 'pass 2', y: 0, toY: 0, weight: 8 },
    { from: 'pass 2', to: 3, y: 0, toY: 50, weight: 2 },
  ]
  const vertices = layers.flat()
  expect(
    vertices.flatMap((from) =>
      from.after.map(({ to, ...link }) => ({ from: nameOf(from), to: nameOf(to), ...link })),
    ),
  ).toEqual(segments)
  expect(
    vertices.flatMap((to) =>
      to.before.map((link) => {
        const { to: from, y: toY, toY: y, weight } = link
        return { from: nameOf(from), to: nameOf(to), y, toY, weight }
      }),
    ),
  ).toEqual(segments)
  expect(layers.map((layer) => layer.map(({ at }) => at))).toEqual([[0], [0, 1], [0, 1], [0]])
  expect(vertices.every(({ y }) => y === 0)).toBe(true)
})
