import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { portY } from './card-size'
import { type FlowDocument, type Point, parseEnd } from './document'
import { ranksOf, withoutCycles } from './layered/ranks'
import { type CardToPlace, layOut } from './layout'
import { onCurve } from './routing/edge-path'
import { lanesOf } from './routing/lanes'

type Ends = readonly (readonly [from: number, to: number])[]

/** A flow whose nodes have one output and an input for each edge. */
function flowOf(
  count: number,
  ends: Ends,
  at: (node: number) => Point = () => ({ x: 0, y: 0 }),
): FlowDocument {
  return {
    format: 1,
    name: 'Flow',
    nodes: Array.from({ length: count }, (_, node) => ({
      id: `n${node}`,
      type: 'compose',
      version: 1,
      settings: {},
      position: at(node),
    })),
    edges: ends.map(([from, to], edge) => ({ from: `n${from}.output`, to: `n${to}.in${edge}` })),
  }
}

function cardsIn(flow: FlowDocument): (id: string) => CardToPlace {
  return (id) => {
    const ends = flow.edges.map(({ to }) => parseEnd(to)).filter(({ node }) => node === id)
    const inputs = ends.map(({ port }) => port)
    const height = 160 + 24 * inputs.length + (id.length % 3) * 70
    return { width: id.length % 2 === 0 ? 232 : 272, height, inputs, outputs: ['output'] }
  }
}

const tidied = (flow: FlowDocument): FlowDocument => {
  const places = layOut(flow, cardsIn(flow))
  return { ...flow, nodes: flow.nodes.map((node) => ({ ...node, position: places.get(node.id) as Point })) }
}

function drawn(flow: FlowDocument) {
  const cardOf = cardsIn(flow)
  const cards = flow.nodes.map(({ id, position }) => ({ id, ...position, ...cardOf(id) }))
  const boxes = new Map(cards.map((card) => [card.id, card]))
  const wires = flow.edges.map((edge) => {
    const [source, target] = [parseEnd(edge.from), parseEnd(edge.to)]
    const [from, to] = [boxes.get(source.node), boxes.get(target.node)]
    if (!from || !to) throw new Error('The edge has no card.')
    return {
      id: edge.to,
      port: edge.from,
      source: from.id,
      target: to.id,
      from: { x: from.x + from.width, y: from.y + portY(0) },
      to: { x: to.x, y: to.y + portY(to.inputs.indexOf(target.port)) },
    }
  })
  const lanes = lanesOf(cards, wires)
  const paths = wires.map((wire) => {
    const stops = [wire.from, ...(lanes.get(wire.id) ?? []), wire.to]
    const points = stops.slice(1).flatMap((to, at) => {
      const from = stops[at] as Point
      return Array.from({ length: 40 }, (_, step) => onCurve(from, to, (step + 1) / 40))
    })
    return { wire, points: [wire.from, ...points] }
  })
  return { cards, paths }
}

const isInside = (point: Point, { x, y, width, height }: Point & CardToPlace) =>
  point.x > x && point.x < x + width && point.y > y && point.y < y + height

/** How many pairs of edges from different nodes cross, of the edges to the next column. */
function crossings(flow: FlowDocument): number {
  const { paths } = drawn(flow)
  const spans = paths.map(({ wire: { from, to, source } }) => ({ from, to, source }))
  return spans.flatMap((one, at) =>
    spans
      .slice(at + 1)
      .filter(
        (other) =>
          one.source !== other.source &&
          one.from.x === other.from.x &&
          one.to.x === other.to.x &&
          (one.from.y - other.from.y) * (one.to.y - other.to.y) < 0,
      ),
  ).length
}

const flows = fc
  .tuple(
    fc.integer({ min: 1, max: 24 }),
    fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 36 }),
    fc.array(fc.tuple(fc.double({ min: -900, max: 900, noNaN: true }), fc.integer({ min: -900, max: 900 })), {
      minLength: 24,
      maxLength: 24,
    }),
  )
  .map(([count, pairs, places]) => {
    const ends = pairs.map(([one, other]) => [one % count, other % count] as const)
    return flowOf(count, ends, (node) => ({ x: places[node]?.[0] ?? 0, y: places[node]?.[1] ?? 0 }))
  })

/** The same, with edges that lead from an earlier to a later node only. */
const forwardFlows = flows.map((flow) => ({
  ...flow,
  edges: flow.edges.filter(({ from, to }) => {
    const [source, target] = [parseEnd(from).node, parseEnd(to).node]
    return Number(source.slice(1)) < Number(target.slice(1))
  }),
}))

describe('automatic positions', () => {
  it('change nothing the second time, for any flow, also one with cycles', () => {
    fc.assert(
      fc.property(flows, (flow) => {
        const once = tidied(flow)
        expect(tidied(once)).toEqual(once)
        const selected = new Set(flow.nodes.slice(0, 5).map(({ id }) => id))
        const part = layOut(once, cardsIn(once), selected)
        const moved = once.nodes.map((node) => ({ ...node, position: part.get(node.id) ?? node.position }))
        expect(layOut({ ...once, nodes: moved }, cardsIn(once), selected)).toEqual(part)
      }),
      { numRuns: 200 },
    )
  })

  it('keep cards apart, lead from left to right, and keep every edge off the cards that it passes', () => {
    fc.assert(
      fc.property(forwardFlows, (flow) => {
        const { cards, paths } = drawn(tidied(flow))
        for (const [at, one] of cards.entries()) {
          for (const other of cards.slice(at + 1)) {
            const isApart =
              one.x + one.width + 40 <= other.x ||
              other.x + other.width + 40 <= one.x ||
              one.y + one.height + 40 <= other.y ||
              other.y + other.height + 40 <= one.y
            expect(isApart).toBe(true)
          }
        }
        for (const { wire, points } of paths) {
          expect(wire.from.x).toBeLessThan(wire.to.x)
          const foreign = cards.filter(({ id }) => id !== wire.source && id !== wire.target)
          expect(foreign.filter((card) => points.some((point) => isInside(point, card)))).toEqual([])
        }
      }),
      { numRuns: 200 },
    )
  })

  it.each<[string, number, Ends]>([
    [
      'begins in a column and ends beside it',
      15,
      [
        [10, 11],
        [0, 6],
        [6, 7],
        [4, 7],
        [4, 8],
      ],
    ],
    [
      'reaches over the gap between two columns',
      20,
      [
        [5, 15],
        [5, 6],
        [6, 10],
        [11, 15],
        [0, 10],
      ],
    ],
  ])('lead no edge back where a card of another part %s', (_, count, ends) => {
    for (const { points } of drawn(tidied(flowOf(count, ends))).paths) {
      const across = points.map(({ x }) => Math.round(x))
      expect(across).toEqual(across.toSorted((one, other) => one - other))
    }
  })

  it('keep the branches of any tree uncrossed', () => {
    const parents = fc.array(fc.nat(), { minLength: 2, maxLength: 60 })
    fc.assert(
      fc.property(parents, fc.boolean(), (choices, isMerging) => {
        const ends = choices.map((choice, at) => [choice % (at + 1), at + 1] as const)
        const count = choices.length + 1
        const turned = ends.map(([from, to]) => [count - 1 - to, count - 1 - from] as const)
        expect(crossings(tidied(flowOf(count, isMerging ? turned : ends)))).toBe(0)
      }),
    )
  })

  it('keep branches that fork and join again uncrossed, however they are listed', () => {
    const branches = fc.tuple(
      fc.integer({ min: 2, max: 7 }),
      fc.integer({ min: 1, max: 4 }),
      fc.infiniteStream(fc.nat()),
    )
    fc.assert(
      fc.property(branches, ([width, length, random]) => {
        const ends: [number, number][] = []
        for (let branch = 0; branch < width; branch++) {
          const first = 2 + branch * length
          ends.push([0, first], [first + length - 1, 1])
          for (let step = 1; step < length; step++) ends.push([first + step - 1, first + step])
        }
        const listed = ends
          .map((end) => ({ end, rank: random.next().value as number }))
          .sort((one, other) => one.rank - other.rank)
        const flow = flowOf(
          2 + width * length,
          listed.map(({ end }) => end),
        )
        expect(crossings(tidied(flow))).toBe(0)
      }),
    )
  })

  it('put nodes without edges in rows below the flow, and straighten a chain', () => {
    const flow = tidied(
      flowOf(9, [
        [0, 1],
        [1, 2],
      ]),
    )
    const [first, second, third, ...alone] = flow.nodes.map(({ position }) => position)
    expect(new Set([first?.y, second?.y, third?.y]).size).toBe(1)
    expect(alone.every(({ y }) => y > (first?.y ?? 0) + 200)).toBe(true)
    expect(new Set(alone.map(({ y }) => y)).size).toBe(2)
  })
})

describe('nodes without edges', () => {
  const box = (width: number, height: number): CardToPlace => ({ width, height, inputs: [], outputs: [] })
  const placesOf = (flow: FlowDocument, cardOf: (id: string) => CardToPlace = cardsIn(flow)) =>
    flow.nodes.map(({ id }) => layOut(flow, cardOf).get(id))

  it('stand in rows of four, each below the tallest card of the row before', () => {
    const flow = flowOf(6, [], () => ({ x: 40, y: -8 }))
    const cardOf = (id: string) => box(id === 'n1' ? 100 : 200, id === 'n2' ? 400 : 150)
    expect(placesOf(flow, cardOf)).toEqual([
      { x: 40, y: -8 },
      { x: 312, y: -8 },
      { x: 484, y: -8 },
      { x: 756, y: -8 },
      { x: 40, y: 464 },
      { x: 312, y: 464 },
    ])
    const many = placesOf(flowOf(9, []), () => box(200, 150))
    expect(many.map((at) => at?.y)).toEqual([0, 0, 0, 0, 222, 222, 222, 222, 444])
  })

  it('stand below the flow, from its left edge to its right edge', () => {
    const chain: Ends = [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5],
    ]
    const places = placesOf(flowOf(13, chain), () => box(200, 150))
    expect(places.slice(0, 6).map((at) => at?.x)).toEqual([0, 272, 544, 816, 1088, 1360])
    expect(places.slice(6).map((at) => at?.x)).toEqual([0, 272, 544, 816, 1088, 1360, 0])
    expect(places.slice(6).map((at) => at?.y)).toEqual([222, 222, 222, 222, 222, 222, 444])
  })
})

describe('parts that are not connected', () => {
  it('stand below each other, in the order of the flow', () => {
    const flow = flowOf(4, [
      [0, 3],
      [1, 2],
    ])
    const box = { width: 200, height: 150, inputs: [], outputs: [] }
    const places = layOut(flow, () => box)
    expect(flow.nodes.map(({ id }) => places.get(id))).toEqual([
      { x: 0, y: 0 },
      { x: 0, y: 222 },
      { x: 272, y: 222 },
      { x: 272, y: 0 },
    ])
  })
})

describe('the columns of a cycle', () => {
  it('follow its edges, but the one that closes it', () => {
    const arc = (from: number, to: number) => ({ from, to, port: `${from}`, fromY: 0, toY: 0 })
    const forward = [arc(0, 1), arc(1, 2), arc(2, 3)]
    const found = withoutCycles(4, [...forward, arc(3, 1), arc(2, 2)])
    expect(found).toEqual(forward)
    expect(ranksOf(4, found)).toEqual([0, 1, 2, 3])
  })
})
