import { describe, expect, it } from 'vitest'
import { Catalog } from '@/graph/catalog'
import { findNode } from '@/graph/document'
import { SAMPLE, sampleFlow, sampleNode } from '@/test/flow-samples'
import { CARD_SIZE } from '../card-size'
import { dissolveAgent } from './dissolve'
import { type Extraction, toAgent } from './to-agent'

const AGENT = {
  ...(SAMPLE.types[0] as (typeof SAMPLE.types)[number]),
  id: 'agent',
  title: 'Agent',
  input: null,
  outputs: [],
  subflow: 'flow',
}
const CATALOG = new Catalog({ ...SAMPLE.data, types: [...SAMPLE.data.types, AGENT] })

/** ask -> write -> paint, and write -> film. */
const FLOW = sampleFlow({
  nodes: [
    sampleNode('ask', 'user_prompt'),
    sampleNode('write', 'language_model'),
    sampleNode('paint', 'image_generation'),
    sampleNode('again', 'language_model'),
  ],
  edges: [
    { from: 'ask.output', to: 'write.prompt' },
    { from: 'write.output', to: 'paint.prompt' },
    { from: 'write.output', to: 'again.prompt' },
  ],
})

const extract = (ids: string[], flow = FLOW) => toAgent(flow, CATALOG, new Set(ids), 'Part')

describe('nodes that become an agent', () => {
  it('move with their edges; what feeds them is an input, what they feed takes a result', () => {
    const found = extract(['write', 'paint']) as Extraction
    expect(found.inner.nodes.map(({ id, type }) => [id, type])).toEqual([
      ['User_prompt', 'user_prompt'],
      ['write', 'language_model'],
      ['paint', 'image_generation'],
    ])
    expect(found.inner.edges).toEqual([
      { from: 'User_prompt.output', to: 'write.prompt' },
      { from: 'write.output', to: 'paint.prompt' },
    ])
    // Both the image, which was a result, and the text, which another node takes.
    expect(findNode(found.inner, 'write')?.result).toBe(true)
    const outer = found.outer('f1', null)
    expect(findNode(outer, 'Part')).toMatchObject({ type: 'agent', settings: { flow: 'f1' }, result: true })
    expect(outer.edges).toEqual([
      { from: 'ask.output', to: 'Part.User_prompt' },
      { from: 'Part.write', to: 'again.prompt' },
    ])
  })

  it('are fed by an input of the type that feeds them, which may be empty where its type allows that', () => {
    const [prompt, ...others] = CATALOG.data.types as [(typeof CATALOG.data.types)[number]]
    const settings = { ...prompt.settings, properties: { ...prompt.settings.properties, may_be_empty: {} } }
    const lenient = new Catalog({ ...CATALOG.data, types: [{ ...prompt, settings }, ...others] })
    for (const [catalog, set] of [
      [CATALOG, {}],
      [lenient, { may_be_empty: true }],
    ] as const) {
      const { inner } = toAgent(FLOW, catalog, new Set(['again']), 'Part') as Extraction
      expect(inner.nodes[0]).toMatchObject({ type: 'user_prompt', title: 'Language model' })
      expect(inner.nodes[0]?.settings).toEqual(set)
    }
  })

  it('are fed once by what feeds several of them', () => {
    const edges = [...FLOW.edges, { from: 'ask.output', to: 'again.prompt' }].filter(
      ({ to }) => to !== 'paint.prompt',
    )
    const found = extract(['write', 'again'], { ...FLOW, edges }) as Extraction
    expect(found.inner.edges).toEqual([
      { from: 'User_prompt.output', to: 'write.prompt' },
      { from: 'write.output', to: 'again.prompt' },
      { from: 'User_prompt.output', to: 'again.prompt' },
    ])
    expect(found.outer('f1', null).edges).toEqual([{ from: 'ask.output', to: 'Part.User_prompt' }])
  })

  it('are fed by a user prompt among the inputs that give text, else by the first', () => {
    const [prompt, ...others] = CATALOG.data.types as [(typeof CATALOG.data.types)[number]]
    const named = (id: string, more: object = {}) => ({ ...prompt, id, ...more })
    const typeOf = (...types: (typeof CATALOG.data.types)[number][]) => {
      const catalog = new Catalog({ ...CATALOG.data, types: [...types, ...others] })
      const found = toAgent(FLOW, catalog, new Set(['again']), 'Part')
      return 'inner' in found ? found.inner.nodes[0]?.type : found.code
    }
    expect(typeOf(named('text'), prompt)).toBe('user_prompt')
    expect(typeOf(named('text'), named('topic'))).toBe('text')
    expect(typeOf(named('old', { deprecated: true }), named('topic'))).toBe('topic')
    const lists = prompt.outputs.map((port) => ({ ...port, list: true }))
    expect(typeOf(named('texts', { outputs: lists }))).toBe('noInput')
    expect(typeOf(named('pair', { outputs: [...prompt.outputs, ...prompt.outputs] }))).toBe('noInput')
  })

  it('stand in their distances from the corner, with their inputs below each other on the left', () => {
    const flow = sampleFlow({
      nodes: [
        sampleNode('ask', 'user_prompt'),
        sampleNode('other', 'user_prompt', { title: 'Other' }),
        sampleNode('write', 'language_model', { position: { x: 500, y: 90 } }),
        sampleNode('paint', 'image_generation', { position: { x: 800, y: 40 } }),
      ],
      edges: [
        { from: 'ask.output', to: 'write.prompt' },
        { from: 'other.output', to: 'paint.prompt' },
      ],
    })
    const { nodes } = (extract(['write', 'paint'], flow) as Extraction).inner
    const [first, second, write, paint] = nodes.map(({ position }) => position)
    expect([write, paint]).toEqual([
      { x: 0, y: 50 },
      { x: 300, y: 0 },
    ])
    expect(first).toEqual({ x: -2 * CARD_SIZE.width, y: 0 })
    expect(second?.x).toBe(first?.x)
    expect(second?.y).toBeGreaterThan(CARD_SIZE.height)
  })

  it('do not show as a result what feeds a disabled node alone', () => {
    const resultOf = (mode?: 'disabled' | 'bypassed') => {
      const nodes = FLOW.nodes.map((node) => (node.id === 'again' && mode ? { ...node, mode } : node))
      return (extract(['again'], { ...FLOW, nodes }) as Extraction).inner.nodes[0]?.result
    }
    expect([resultOf('disabled'), resultOf('bypassed'), resultOf()]).toEqual([false, undefined, undefined])
  })

  it('leave input nodes outside, through which the agent is launched', () => {
    const found = extract(['ask', 'write', 'paint', 'again']) as Extraction
    expect(found.inputs.map(({ id }) => id)).toEqual(['ask'])
    expect(found.outer('f1', null).nodes.map(({ id }) => id)).toEqual(['ask', 'Part'])
  })

  it('are refused if all are inputs, or if a node between them stays outside', () => {
    expect(extract(['ask'])).toEqual({ code: 'onlyInputs' })
    const chain = sampleFlow({
      nodes: [...FLOW.nodes, sampleNode('last', 'language_model')],
      edges: [...FLOW.edges, { from: 'again.output', to: 'last.prompt' }],
    })
    expect(extract(['write', 'last'], chain)).toEqual({ code: 'between', nodes: ['again'] })
  })

  it('are fed by an input of the one type that they take from a node whose type is not installed', () => {
    const flow = sampleFlow({
      nodes: [sampleNode('gone', 'gone_type'), sampleNode('film', 'video_generation'), ...FLOW.nodes],
      edges: [{ from: 'gone.output', to: 'write.prompt' }],
    })
    expect((extract(['write'], flow) as Extraction).inner.nodes[0]?.type).toBe('user_prompt')
    const several = { ...flow, edges: [...flow.edges, { from: 'gone.output', to: 'film.image' }] }
    expect(extract(['write', 'film'], several)).toMatchObject({ code: 'noInput', node: 'gone', type: 'Any' })
  })

  it('are refused if no input gives what feeds them', () => {
    const flow = sampleFlow({
      nodes: [sampleNode('paint', 'image_generation'), sampleNode('film', 'video_generation')],
      edges: [{ from: 'paint.output', to: 'film.image' }],
    })
    expect(extract(['film'], flow)).toEqual({
      code: 'noInput',
      node: 'paint',
      port: 'output',
      type: 'Image',
    })
  })

  it('name the settings that launchers can no longer set', () => {
    const flow = sampleFlow({
      ...FLOW,
      nodes: FLOW.nodes.map((node) =>
        node.id === 'write' ? { ...node, exposed: { model: { label: 'Model' } } } : node,
      ),
    })
    const found = toAgent(flow, CATALOG, new Set(['write']), 'Part', []) as Extraction
    expect(found.hidden).toEqual([{ node: 'write', setting: 'model' }])
    expect(findNode(found.inner, 'write')?.exposed).toBeUndefined()
    expect(findNode(found.outer('f1', null), 'Part')?.exposed).toBeUndefined()
  })
})

describe('settings of nodes that become an agent', () => {
  const EXPOSED = { n_images: { label: 'Pictures', maximum: 4, order: 2 } }
  const DRIVEN = sampleFlow({
    nodes: [
      sampleNode('ask', 'user_prompt'),
      sampleNode('name', 'user_prompt'),
      sampleNode('write', 'language_model'),
      sampleNode('paint', 'image_generation', { exposed: EXPOSED }),
    ],
    edges: [
      { from: 'ask.output', to: 'write.prompt' },
      { from: 'name.output', to: 'write.model' },
      { from: 'write.output', to: 'paint.prompt' },
    ],
  })

  it('stay inputs of the outer agent, and what drove one drives the input of the new agent', () => {
    const found = extract(['write', 'paint'], DRIVEN) as Extraction
    expect(found.hidden).toEqual([])
    expect(findNode(found.inner, 'paint')?.exposed).toEqual({
      n_images: { label: 'Pictures', maximum: 4, order: 0 },
    })
    expect(findNode(found.inner, 'write')?.exposed).toEqual({ model: { order: 1 } })
    expect(found.inner.edges[0]).toEqual({ from: 'User_prompt.output', to: 'write.prompt' })
    const outer = found.outer('f1', null)
    expect(findNode(outer, 'Part')?.exposed).toEqual({ 'paint.n_images': { label: 'Pictures', order: 2 } })
    expect(outer.edges).toEqual([
      { from: 'ask.output', to: 'Part.User_prompt' },
      { from: 'name.output', to: 'Part.write.model' },
    ])
  })

  it('have the names and the order that the builder chose', () => {
    const { offers } = extract(['write', 'paint'], DRIVEN) as Extraction
    const chosen = [...offers].reverse().map((one) => ({ ...one, label: ` ${one.title} ` }))
    const found = toAgent(DRIVEN, CATALOG, new Set(['write', 'paint']), 'Part', chosen) as Extraction
    expect(findNode(found.inner, 'write')?.exposed).toEqual({ model: { label: 'model', order: 0 } })
    expect(findNode(found.inner, 'paint')?.exposed).toMatchObject({
      n_images: { label: 'n_images', order: 1 },
    })
  })

  it('are offered by the nodes again when the agent is dissolved, if it offered them', () => {
    const found = extract(['write', 'paint'], DRIVEN) as Extraction
    const { document } = dissolveAgent(found.outer('f1', null), CATALOG, 'Part', found.inner)
    expect(findNode(document, 'paint')?.exposed).toEqual(EXPOSED)
    expect(findNode(document, 'write')?.exposed).toBeUndefined()
    expect(document.edges).toContainEqual({ from: 'name.output', to: 'write.model' })
  })
})

describe('an agent that is dissolved', () => {
  it('leaves the nodes, edges and results that it was made of', () => {
    const found = extract(['write', 'paint']) as Extraction
    const outer = found.outer('f1', null)
    const { document } = dissolveAgent(outer, CATALOG, 'Part', found.inner)
    expect(new Set(document.nodes.map(({ id }) => id))).toEqual(new Set(['ask', 'write', 'paint', 'again']))
    expect(new Set(document.edges)).toEqual(new Set(FLOW.edges))
  })

  it.each([
    ['limits what it is given', { settings: { text: 'x', audience: 'children' } }],
    ['is disabled', { mode: 'disabled' as const }],
  ])('keeps an input node that %s', (_, change) => {
    const found = extract(['write']) as Extraction
    const limited = {
      ...found.inner,
      nodes: found.inner.nodes.map((node) => (node.id === 'User_prompt' ? { ...node, ...change } : node)),
    }
    const { document } = dissolveAgent(found.outer('f1', null), CATALOG, 'Part', limited)
    expect(document.edges).toContainEqual({ from: 'ask.output', to: 'User_prompt.text' })
    expect(document.edges).toContainEqual({ from: 'User_prompt.output', to: 'write.prompt' })
  })

  it('takes the values that its node had for inputs and offered settings without an edge, and no others', () => {
    const offered = { ...FLOW.nodes[1], exposed: { model: {} } } as (typeof FLOW.nodes)[number]
    const nodes = FLOW.nodes.map((node) => (node.id === 'write' ? offered : node))
    const found = extract(['write'], { ...FLOW, nodes }) as Extraction
    const outer = found.outer('f1', null)
    const inputs = { User_prompt: 'A jug', 'write.model': 'b', 'write.system_prompt': 'no' }
    const alone = {
      ...outer,
      nodes: outer.nodes.map((node) =>
        node.id === 'Part' ? { ...node, settings: { flow: 'f1', inputs } } : node,
      ),
      edges: [],
    }
    const { document } = dissolveAgent(alone, CATALOG, 'Part', found.inner)
    expect(findNode(document, 'User_prompt')?.settings).toEqual({ text: 'A jug' })
    expect(findNode(document, 'write')?.settings).toEqual({ model: 'b' })
  })
})
