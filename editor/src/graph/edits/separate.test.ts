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

it.each([
  [
    'one above the other, of which the upper one stays',
    [
      [0, 40],
      [0, 0],
    ],
    [
      [0, 164],
      [0, 0],
    ],
  ],
  [
    'side by side, of which the left one stays',
    [
      [40, 0],
      [0, 0],
    ],
    [
      [40, 164],
      [0, 0],
    ],
  ],
  [
    'that touch below each other',
    [
      [0, 0],
      [0, 132],
    ],
    [
      [0, 0],
      [0, 132],
    ],
  ],
  [
    'that touch beside each other',
    [
      [0, 0],
      [232, 0],
    ],
    [
      [0, 0],
      [232, 0],
    ],
  ],
])('two cards %s', (_, places, expected) => {
  const flow = sampleFlow({
    nodes: places.map(([x = 0, y = 0], at) => sampleNode(`n${at}`, 'missing', { position: { x, y } })),
    edges: [],
  })
  const { width, height } = cardSize(flow.nodes[0] as (typeof flow.nodes)[number], flow, SAMPLE)
  expect([width, height]).toEqual([232, 132])
  expect(separateCards(flow, SAMPLE).nodes.map(({ position }) => [position.x, position.y])).toEqual(expected)
})
