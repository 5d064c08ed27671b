import { describe, expect, it } from 'vitest'
import { sampleFlow, sampleNode, samplePort, sampleType, withNode } from '@/test/flow-samples'
import { Catalog, type NodeType } from './catalog'
import { indexOf, reaches } from './graph-index'

const port = (name: string, list = false) => samplePort(name, 'Text', { list })
const type = (id: string, input: boolean | null, output: boolean) =>
  sampleType(id, {
    inputs: input === null ? [] : [port('input', input)],
    outputs: [port('output', output)],
  })
const NOTHING = { conversions: [], value_types: [], categories: [], broken: [] }
const CATALOG = new Catalog({
  types: [type('many', null, true), type('each', false, false), type('collect', true, false)],
  ...NOTHING,
})

describe('the index of a graph', () => {
  it('maps nodes over a list until a node takes the whole list', () => {
    const ids = ['many', 'each', 'each', 'collect', 'each']
    const nodes = ids.map((id, index) => sampleNode(`n${index}`, id))
    const edges = [3, 1, 2, 0].map((index) => ({ from: `n${index}.output`, to: `n${index + 1}.input` }))
    const { mapDepths } = indexOf(sampleFlow({ nodes: nodes.toReversed(), edges }), CATALOG)
    expect(nodes.map(({ id }) => mapDepths.get(id))).toEqual([0, 1, 1, 0, 0])
  })

  it('finds paths along the edges only, also in a cycle', () => {
    const nodes = ['a', 'b', 'c', 'd'].map((id) => sampleNode(id, 'each'))
    const edges = ['ab', 'bc', 'cb'].map(([from, to]) => ({ from: `${from}.output`, to: `${to}.input` }))
    const index = indexOf(sampleFlow({ nodes, edges }), CATALOG)
    expect([reaches(index, 'a', 'c'), reaches(index, 'c', 'a'), reaches(index, 'a', 'd')]).toEqual([
      true,
      false,
      false,
    ])
    expect(index.incoming.get('b')?.map(({ from }) => from)).toEqual(['a.output', 'c.output'])
    expect(index.outgoing.get('b')?.map(({ to }) => to)).toEqual(['c.input'])
  })

  it('keeps the map depths while ports and edges stay, and finds them again when a port changes', () => {
    const ports: NodeType = {
      ...type('lists', null, false),
      outputs: [port('one'), { ...port('many', true), item_of: 'outputs', name: 'many' }],
      settings: { type: 'object', properties: { outputs: { type: 'array' } } },
    }
    const catalog = new Catalog({ ...NOTHING, types: [ports, type('each', false, false)] })
    const nodes = [sampleNode('a', 'lists'), sampleNode('b', 'each')]
    const flow = sampleFlow({ nodes, edges: [{ from: 'a.many', to: 'b.input' }] })
    const withOutputs = (outputs: readonly { port: string }[]) =>
      withNode(flow, 'a', { settings: { outputs } })
    const before = indexOf(flow, catalog).mapDepths
    expect(before.get('b')).toBe(0)
    expect(indexOf({ ...flow, nodes: flow.nodes.map((node) => ({ ...node })) }, catalog).mapDepths).toBe(
      before,
    )
    expect(indexOf(withOutputs([{ port: 'many' }]), catalog).mapDepths.get('b')).toBe(1)
    expect(indexOf(withOutputs([]), catalog).mapDepths.get('b')).toBe(0)
  })

  it('places nodes of a cycle behind the others, and counts no edge of an unknown node', () => {
    const nodes = ['many', 'each', 'each', 'each', 'each'].map((id, at) => sampleNode(`n${at}`, id))
    const edge = (from: string, to: string) => ({ from: `${from}.output`, to: `${to}.input` })
    const edges = [
      edge('n0', 'n3'),
      edge('n1', 'n2'),
      edge('n2', 'n1'),
      edge('n0', 'gone'),
      edge('gone', 'n4'),
    ]
    const { mapDepths } = indexOf(sampleFlow({ nodes, edges }), CATALOG)
    expect(mapDepths).toEqual(
      new Map([
        ['n0', 0],
        ['n3', 1],
        ['n1', 0],
        ['n2', 0],
        ['n4', 0],
      ]),
    )
  })

  it('maps over as many list levels as the value has more than the input', () => {
    const nodes = ['many', 'each', 'collect', 'collect'].map((id, at) => sampleNode(`n${at}`, id))
    const edge = (from: number, to: number) => ({ from: `n${from}.output`, to: `n${to}.input` })
    const { mapDepths } = indexOf(sampleFlow({ nodes, edges: [edge(0, 1), edge(1, 2), edge(2, 3)] }), CATALOG)
    expect([...mapDepths.values()]).toEqual([0, 1, 0, 0])
  })
})
