import { expect, it } from 'vitest'
import { SAMPLE, sampleFlow, sampleNode } from '@/test/flow-samples'
import { cardHeight, hasFooter, portY, shapeOf } from './card-size'

const flow = sampleFlow({
  nodes: [...sampleFlow().nodes, sampleNode('palette', 'palette'), sampleNode('lost', 'unknown')],
})
const shape = (id: string) =>
  shapeOf(flow.nodes.find((node) => node.id === id) ?? sampleNode('', ''), flow, SAMPLE)

it('has a port every 24 pixels below the header', () => {
  expect([0, 1, 2].map(portY)).toEqual([52, 76, 100])
})

it.each([
  // Header, ports, content and its margin, footer.
  ['ask', 42 + 24 + 44 + 14],
  ['write', 42 + 2 * 24 + 96 + 14 + 32],
  ['paint', 42 + 24 + 154 + 14 + 32],
  ['animate', 42 + 24 + 154 + 14 + 32],
  ['palette', 42 + 24 + 96 + 14 + 32],
  ['lost', 42 + 76 + 14],
])('has room for the ports, the content and the footer of %s', (id, height) => {
  const { room, ...others } = shape(id)
  const alone = { ...others, room: { ...room, height: id === 'animate' ? 154 : room.height } }
  expect(cardHeight({ ...alone, mapDepth: 0 })).toBe(height)
  for (const mapDepth of [1, 2]) expect(cardHeight({ ...alone, mapDepth })).toBe(height + 22)
})

it('has a footer unless it is an input', () => {
  expect(['ask', 'write', 'lost'].map((id) => hasFooter(shape(id).type))).toEqual([false, true, false])
})

it('has a line for a node that runs once per item', () => {
  expect(['write', 'animate'].map((id) => shape(id).mapDepth)).toEqual([0, 1])
})

it('grows with the settings that edges drive', () => {
  const driven = { ...flow, edges: [...flow.edges, { from: 'ask.output', to: 'paint.n_images' }] }
  const [, , paint] = driven.nodes
  expect(paint && shapeOf(paint, driven, SAMPLE).inputs.map(({ name }) => name)).toEqual([
    'prompt',
    'n_images',
  ])
})
