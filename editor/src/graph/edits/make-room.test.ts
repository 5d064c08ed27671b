import { describe, expect, it } from 'vitest'
import { SAMPLE, sampleFlow, sampleNode, withNode } from '@/test/flow-samples'
import type { FlowDocument } from '../document'
import { makeRoom } from './make-room'
import { setSetting } from './nodes'

const flow = sampleFlow({
  nodes: [
    sampleNode('paint', 'image_generation', { settings: { aspect_ratio: '16:9' } }),
    sampleNode('below', 'number', { position: { x: 0, y: 300 } }),
    sampleNode('last', 'number', { position: { x: 20, y: 500 } }),
    sampleNode('animate', 'video_generation', { position: { x: 400, y: 0 } }),
    sampleNode('under', 'number', { position: { x: 400, y: 290 } }),
  ],
  edges: [{ from: 'paint.output', to: 'animate.image' }],
})
const heights = ({ nodes }: FlowDocument) => nodes.map(({ position }) => position.y)
const edited = (name: string, value: unknown) => {
  const after = setSetting(flow, 'paint', name, value)
  return { after, roomy: makeRoom(flow, after, SAMPLE) }
}

it('moves cards down that a card would cover which an edit made larger, and those below them', () => {
  expect(heights(edited('aspect_ratio', '9:16').roomy)).toEqual([0, 464, 684, 0, 290])
})

it('makes room for what has the shape of the image that it is made from', () => {
  expect(heights(edited('aspect_ratio', '3:2').roomy)).toEqual([0, 300, 500, 0, 334])
})

it('moves none where the card has room, or becomes smaller', () => {
  for (const [name, value] of [
    ['aspect_ratio', '5:3'],
    ['style', 'calm'],
  ] as const) {
    const { after, roomy } = edited(name, value)
    expect(roomy).toBe(after)
  }
})

it('leaves cards alone that overlapped before, and what the edit itself moved', () => {
  const stacked = { ...flow, nodes: flow.nodes.map((node) => ({ ...node, position: { x: 0, y: 0 } })) }
  const after = setSetting(stacked, 'paint', 'aspect_ratio', '9:16')
  expect(makeRoom(stacked, after, SAMPLE)).toBe(after)
  const dragged = withNode(flow, 'below', { position: { x: 0, y: 10 } })
  expect(makeRoom(flow, dragged, SAMPLE)).toBe(dragged)
})

describe('beside a card that becomes 432 pixels high and 232 wide', () => {
  it.each([
    ['below it without a gap', 0, 432, 432],
    ['a pixel over its lower edge', 0, 431, 464],
    ['right of it without a gap', 232, 400, 400],
    ['a pixel over its right edge', 231, 400, 464],
    ['left of it without a gap', -232, 400, 400],
    ['a pixel over its left edge', -231, 400, 464],
  ])('a card %s, at %d, %d, is then %d pixels from the top', (_, x, y, moved) => {
    const before = sampleFlow({
      nodes: [
        flow.nodes[0] as (typeof flow.nodes)[number],
        sampleNode('other', 'number', { position: { x, y } }),
      ],
      edges: [],
    })
    expect(heights(makeRoom(before, setSetting(before, 'paint', 'aspect_ratio', '9:16'), SAMPLE))).toEqual([
      0,
      moved,
    ])
  })
})

it('leaves a card alone that the edit added', () => {
  const added = { ...flow, nodes: [...flow.nodes, sampleNode('new', 'image_generation')] }
  expect(makeRoom(flow, added, SAMPLE)).toBe(added)
})

it('makes room for what takes its shape from a new edge', () => {
  const after = setSetting(flow, 'paint', 'aspect_ratio', '3:2')
  const before = { ...after, edges: [] }
  expect(heights(makeRoom(before, after, SAMPLE))).toEqual([0, 300, 500, 0, 334])
  expect(makeRoom(after, after, SAMPLE)).toBe(after)
})
