import { describe, expect, it } from 'vitest'
import { SAMPLE, sampleFlow, sampleNode } from '@/test/flow-samples'
import { Catalog, type NodeType } from '../catalog'
import type { FlowDocument } from '../document'
import {
  addInto,
  bridge,
  connect,
  disconnect,
  freeFor,
  insertInto,
  reconnect,
  withoutLostItems,
} from './edges'

const base = SAMPLE.types.find(({ id }) => id === 'number') as NodeType
const port = (name: string, item_of: string | null = null) => ({
  ...{ name, title: name, help: '', type: 'Text', list: false },
  ...(item_of && { item_of }),
})
const SWITCH: NodeType = {
  ...base,
  id: 'switch',
  inputs: [port('input'), port('in_1', 'entries'), port('in_2', 'entries')],
  outputs: [port('case_1', 'cases'), port('case_2', 'cases'), port('otherwise')],
  settings: { type: 'object', properties: { entries: { type: 'array' }, cases: { type: 'array' } } },
}
const CATALOG = new Catalog({ ...SAMPLE.data, types: [...SAMPLE.types, SWITCH] })

describe('the edges of a list’s items', () => {
  const cases = (...names: string[]) => names.map((name) => ({ port: name }))
  const nodes = [
    sampleNode('ask', 'user_prompt'),
    sampleNode('switch', 'switch', {
      settings: { cases: cases('case_1', 'case_2'), entries: cases('in_1', 'in_2') },
    }),
    sampleNode('write', 'language_model'),
    sampleNode('again', 'language_model'),
  ]
  const edges = [
    { from: 'ask.output', to: 'switch.input' },
    { from: 'ask.output', to: 'switch.in_1' },
    { from: 'ask.output', to: 'switch.in_2' },
    { from: 'switch.case_1', to: 'write.prompt' },
    { from: 'switch.case_2', to: 'again.prompt' },
    { from: 'switch.otherwise', to: 'again.system_prompt' },
  ]
  const flow = sampleFlow({ nodes, edges })
  const withSettings = (settings: Record<string, unknown>): FlowDocument => ({
    ...flow,
    nodes: flow.nodes.map((node) => (node.id === 'switch' ? { ...node, settings } : node)),
  })
  const ends = (document: FlowDocument) =>
    withoutLostItems(document, CATALOG, 'switch').edges.map(({ from, to }) => `${from} ${to}`)
  const all = edges.map(({ from, to }) => `${from} ${to}`)

  it('go with an output item that is removed; other edges stay', () => {
    const document = withSettings({ cases: cases('case_1'), entries: cases('in_1', 'in_2') })
    expect(ends(document)).toEqual(all.filter((one) => !one.startsWith('switch.case_2')))
  })

  it('go with an input item that is removed; other edges stay', () => {
    const document = withSettings({ cases: cases('case_1', 'case_2'), entries: cases('in_2') })
    expect(ends(document)).toEqual(all.filter((one) => !one.endsWith('switch.in_1')))
  })

  it('stay while no item is removed, and the document is the same', () => {
    expect(withoutLostItems(flow, CATALOG, 'switch')).toBe(flow)
    const reordered = withSettings({ cases: cases('case_2', 'case_1'), entries: cases('in_1', 'in_2') })
    expect(withoutLostItems(reordered, CATALOG, 'switch')).toBe(reordered)
  })

  it('of a node without such a list stay, also those that lead to no port', () => {
    const odd = { ...flow, edges: [...edges, { from: 'write.gone', to: 'again.brand' }] }
    expect(withoutLostItems(odd, CATALOG, 'write')).toBe(odd)
    expect(withoutLostItems(odd, CATALOG, 'missing')).toBe(odd)
  })

  it('of another node with a port of that name stay', () => {
    const twin = sampleNode('twin', 'switch', { settings: { cases: cases('case_2') } })
    const two = withSettings({ cases: [], entries: [] })
    const document = {
      ...two,
      nodes: [...two.nodes, twin],
      edges: [
        { from: 'twin.case_2', to: 'write.prompt' },
        { from: 'ask.output', to: 'twin.in_1' },
      ],
    }
    expect(withoutLostItems(document, CATALOG, 'switch')).toBe(document)
  })
})

describe('an edge', () => {
  const flow = sampleFlow()
  const [first, second, third] = flow.edges as [
    (typeof flow.edges)[number],
    (typeof flow.edges)[number],
    (typeof flow.edges)[number],
  ]

  it('is removed alone, not with others of one of its ends', () => {
    const extra = { from: 'ask.output', to: 'paint.n_images' }
    const fed = { ...flow, edges: [...flow.edges, extra] }
    expect(disconnect(fed, extra).edges).toEqual(flow.edges)
    expect(disconnect(fed, { from: 'ask.output', to: 'nowhere.in' })).toBe(fed)
  })

  it('is not added twice', () => {
    expect(connect(flow, SAMPLE, { node: 'ask', port: 'output' }, { node: 'write', port: 'prompt' })).toBe(
      flow,
    )
  })

  it('replaces that of a single input', () => {
    const found = connect(flow, SAMPLE, { node: 'ask', port: 'output' }, { node: 'paint', port: 'prompt' })
    expect(found.edges).toEqual([first, third, { from: 'ask.output', to: 'paint.prompt' }])
  })

  it('keeps its other keys when an end is moved, and is not moved where it does not fit', () => {
    const labelled = { ...flow, edges: [first, { ...second, label: 'words' }, third] }
    const [from, to] = [
      { node: 'ask', port: 'output' },
      { node: 'paint', port: 'prompt' },
    ]
    const moved = reconnect(labelled, SAMPLE, labelled.edges[1] as never, from, to)
    expect(moved.edges).toEqual([first, third, { from: 'ask.output', to: 'paint.prompt', label: 'words' }])
    const wrong = reconnect(labelled, SAMPLE, second, from, { node: 'animate', port: 'image' })
    expect(wrong).toBe(labelled)
  })
})

describe('a node in the middle of an edge', () => {
  const flow = sampleFlow()
  const edge = { from: 'write.output', to: 'paint.prompt' }
  const free = sampleNode('free', 'language_model')
  const withFree = { ...flow, nodes: [...flow.nodes, free] }

  it('takes the first input that fits and has no edge', () => {
    const fed = { ...withFree, edges: [...flow.edges, { from: 'ask.output', to: 'free.prompt' }] }
    const found = insertInto(fed, SAMPLE, edge, 'free').edges.map(({ from, to }) => `${from} ${to}`)
    expect(found).not.toContain('write.output free.prompt')
    expect(insertInto(withFree, SAMPLE, edge, 'free').edges).toContainEqual({
      from: 'write.output',
      to: 'free.prompt',
    })
  })

  it('changes nothing where only one half fits, or for an unknown node', () => {
    const clip = { ...flow, nodes: [...flow.nodes, sampleNode('clip', 'video_generation')] }
    expect(insertInto(clip, SAMPLE, { from: 'paint.output', to: 'animate.image' }, 'clip')).toBe(clip)
    expect(insertInto(flow, SAMPLE, edge, 'missing')).toBe(flow)
    const unknown = { ...flow, nodes: [...flow.nodes, sampleNode('odd', 'unknown')] }
    expect(insertInto(unknown, SAMPLE, edge, 'odd')).toBe(unknown)
  })

  it('is added with its edges, or not at all', () => {
    const added = addInto(flow, SAMPLE, edge, { id: 'language_model', version: 1 }, { x: 5, y: 6 })
    expect(added?.document.nodes.find(({ id }) => id === added.id)?.position).toEqual({ x: 5, y: 6 })
    expect(added?.document.edges).toHaveLength(flow.edges.length + 1)
    expect(addInto(flow, SAMPLE, edge, { id: 'number', version: 1 }, { x: 0, y: 0 })).toBeNull()
  })

  it('can be any that fits and has no edge', () => {
    const nodes = [...withFree.nodes, sampleNode('count', 'number')]
    expect(freeFor({ ...flow, nodes }, SAMPLE, edge).map(({ id }) => id)).toEqual(['free'])
    const fed = { ...withFree, edges: [...flow.edges, { from: 'free.output', to: 'animate.image' }] }
    expect(freeFor(fed, SAMPLE, edge)).toEqual([])
  })

  it('converts between two ports that do not fit', () => {
    const by = { type: 'palette', input: 'image', output: 'output' }
    const found = bridge(
      flow,
      SAMPLE,
      { node: 'paint', port: 'output' },
      { node: 'write', port: 'brand' },
      by,
      {
        x: 1,
        y: 2,
      },
    )
    expect(found?.document.edges).toContainEqual({ from: 'paint.output', to: `${found?.id}.image` })
    expect(
      bridge(
        flow,
        SAMPLE,
        { node: 'paint', port: 'output' },
        { node: 'write', port: 'brand' },
        { ...by, type: 'gone' },
        { x: 0, y: 0 },
      ),
    ).toBeNull()
  })
})
