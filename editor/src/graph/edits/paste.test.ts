import { describe, expect, it } from 'vitest'
import { sampleFlow, sampleNode } from '@/test/flow-samples'
import { fragmentFromText, fragmentToText } from '../clipboard'
import { findNode, groupsOf } from '../document'
import { groupNodes } from './annotations'
import { duplicate, extractFragment, type Fragment, paste } from './paste'

const flow = sampleFlow()
const grouped = groupNodes(groupNodes(flow, ['ask', 'write'], 'Words').document, [
  'paint',
  'animate',
]).document
const places = (document: typeof flow, ids: readonly string[]) =>
  ids.map((id) => findNode(document, id)?.position)

describe('a fragment', () => {
  it('has the edges among its nodes, and the groups that are entirely inside', () => {
    const fragment = extractFragment(grouped, new Set(['ask', 'write', 'paint']))
    expect(fragment.nodes.map(({ id }) => id)).toEqual(['ask', 'write', 'paint'])
    expect(fragment.edges).toEqual(flow.edges.slice(0, 2))
    expect(fragment.groups).toEqual([{ title: 'Words', members: ['ask', 'write'] }])
  })

  it('is pasted with new ids, its top left corner at a point of whole pixels', () => {
    const nodes = [
      sampleNode('ask', 'user_prompt', { position: { x: 10, y: 60 } }),
      sampleNode('write', 'language_model', { position: { x: 40, y: 20 } }),
    ]
    const edges = [{ from: 'ask.output', to: 'write.prompt' }]
    const pasted = paste(flow, { nodes, edges }, { x: 100.4, y: 200.6 })
    expect(pasted.ids).toEqual(['ask_2', 'write_2'])
    expect(places(pasted.document, pasted.ids)).toEqual([
      { x: 100, y: 241 },
      { x: 130, y: 201 },
    ])
    expect(pasted.document.edges).toEqual([...flow.edges, { from: 'ask_2.output', to: 'write_2.prompt' }])
  })

  it('is pasted with its groups, but without edges and groups of nodes that it lacks', () => {
    const fragment = {
      nodes: [sampleNode('ask', 'user_prompt')],
      edges: [
        { from: 'ask.output', to: 'gone.prompt' },
        { from: 'gone.output', to: 'ask.text' },
      ],
      groups: [
        { title: 'Kept', members: ['ask', 'gone'] },
        { title: 'Lost', members: ['gone'] },
      ],
    }
    const { document } = paste(flow, fragment, { x: 0, y: 0 })
    expect(document.edges).toEqual(flow.edges)
    expect(groupsOf(document).map(({ title, members }) => [title, members])).toEqual([['Kept', ['ask_2']]])
  })
})

it('nodes that are copied as text are pasted with new ids, with their edges and groups', () => {
  const text = fragmentToText(extractFragment(grouped, new Set(['ask', 'write'])))
  const pasted = paste(grouped, fragmentFromText(text) as Fragment, { x: 500, y: 500 })
  expect(pasted.ids).toEqual(['ask_2', 'write_2'])
  expect(pasted.document.edges).toContainEqual({ from: 'ask_2.output', to: 'write_2.prompt' })
  expect(groupsOf(pasted.document)[2]).toMatchObject({ title: 'Words', members: ['ask_2', 'write_2'] })
  expect(places(pasted.document, pasted.ids)).toEqual([
    { x: 500, y: 500 },
    { x: 800, y: 500 },
  ])
})

describe('a duplicate', () => {
  it('stands a little lower and to the right, with the inputs of the original but not its outputs', () => {
    const { document, ids } = duplicate(flow, new Set(['write', 'paint']))
    expect(ids).toEqual(['write_2', 'paint_2'])
    expect(places(document, ids)).toEqual([
      { x: 332, y: 32 },
      { x: 632, y: 32 },
    ])
    expect(document.edges.slice(flow.edges.length)).toEqual([
      { from: 'write_2.output', to: 'paint_2.prompt' },
      { from: 'ask.output', to: 'write_2.prompt' },
    ])
  })

  it('is placed by the leftmost and the topmost of its nodes', () => {
    const nodes = [
      sampleNode('a', 'number', { position: { x: 50, y: 5 } }),
      sampleNode('b', 'number', { position: { x: 20, y: 90 } }),
    ]
    const { document, ids } = duplicate(sampleFlow({ nodes, edges: [] }), new Set(['a', 'b']))
    expect(places(document, ids)).toEqual([
      { x: 82, y: 37 },
      { x: 52, y: 122 },
    ])
  })

  it.each([[[]], [['missing']]])('of %j is nothing', (ids) => {
    expect(duplicate(flow, new Set(ids))).toEqual({ document: flow, ids: [] })
  })
})
