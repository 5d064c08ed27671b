import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SAMPLE, sampleFlow, sampleNode } from '@/test/flow-samples'
import { cardSize } from '../card-size'
import type { FlowDocument } from '../document'
import { separateCards } from './separate'

const types = [...SAMPLE.types.keys()]
const flows = fc
  .array(
    fc.record({
      x: fc.integer({ min: -600, max: 600 }),
      y: fc.integer({ min: -600, max: 600 }),
      type: fc.constantFrom<string[]>(...types.map(String), 'missing'),
    }),
    { maxLength: 30 },
  )
  .map((places) =>
    sampleFlow({
      nodes: places.map(({ x, y, type }, at) => sampleNode(`n${at}`, type, { position: { x, y } })),
      edges: [],
    }),
  )

function overlapping(flow: FlowDocument): string[] {
  const boxes = flow.nodes.map((node) => ({ ...node.position, ...cardSize(node, flow, SAMPLE), id: node.id }))
  return boxes.flatMap((one, at) =>
    boxes
      .slice(at + 1)
      .filter((other) => one.x < other.x + other.width && other.x < one.x + one.width)
      .filter((other) => one.y < other.y + other.height && other.y < one.y + one.height)
      .map((other) => `${one.id} ${other.id}`),
  )
}

it('leaves no two cards over each other, and moves them down only', () => {
  fc.assert(
    fc.property(flows, (flow) => {
      const result = separateCards(flow, SAMPLE)
      expect(overlapping(result)).toEqual([])
      for (const [at, { position }] of result.nodes.entries()) {
        const was = flow.nodes[at]?.position
        expect(position.x).toBe(was?.x)
        expect(position.y).toBeGreaterThanOrEqual(was?.y ?? 0)
      }
      expect(separateCards(result, SAMPLE)).toBe(result)
    }),
  )
})

it('is the same document where none overlap', () => {
  fc.assert(
    fc.property(flows, (flow) => {
      fc.pre(overlapping(flow).length === 0)
      expect(separateCards(flow, SAMPLE)).toBe(flow)
    }),
  )
})

/** Where two cards, 232 pixels wide and 132 high, are once they are separated. */
function separated(...places: [x: number, y: number][]) {
  const nodes = places.map(([x, y], at) => sampleNode(`n${at}`, 'missing', { position: { x, y } }))
  const flow = sampleFlow({ nodes, edges: [] })
  for (const node of nodes) expect(cardSize(node, flow, SAMPLE)).toMatchObject({ width: 232, height: 132 })
  return separateCards(flow, SAMPLE).nodes.map(({ position }) => [position.x, position.y])
}

it('moves the lower of two cards below the other, or the right one if both are at the same height', () => {
  expect(separated([0, 40], [0, 0])).toEqual([
    [0, 164],
    [0, 0],
  ])
  expect(separated([40, 0], [0, 0])).toEqual([
    [40, 164],
    [0, 0],
  ])
})

it.each([
  ['below', 0, 132],
  ['beside', 232, 0],
])('keeps a card that touches the other one from %s', (_, x, y) => {
  expect(separated([0, 0], [x, y])).toEqual([
    [0, 0],
    [x, y],
  ])
})
