import { describe, expect, it } from 'vitest'
import { SAMPLE, sampleFlow, sampleNode, withNode } from '@/test/flow-samples'
import { Catalog, type NodeType } from '../catalog'
import { type FlowDocument, type FlowNode, findNode, groupsOf, notesOf } from '../document'
import { addNote, groupNodes } from './annotations'
import { dissolveAgent } from './dissolve'

const base = SAMPLE.types.find(({ id }) => id === 'user_prompt') as NodeType
const AGENT: NodeType = { ...base, id: 'agent', title: 'Agent', input: null, outputs: [], subflow: 'flow' }
const OPTIONAL: NodeType = {
  ...base,
  id: 'note_input',
  settings: { type: 'object', properties: { text: {}, may_be_empty: { type: 'boolean' } } },
}
const BRAND: NodeType = {
  ...base,
  id: 'brand_input',
  outputs: [{ name: 'output', title: 'Brand', help: '', type: 'Brand', list: false }],
}
const BRAND_SOURCE: NodeType = { ...BRAND, id: 'brand_maker', input: null }
const CATALOG = new Catalog({
  ...SAMPLE.data,
  types: [...SAMPLE.types, AGENT, OPTIONAL, BRAND, BRAND_SOURCE],
})

/** idea -> write -> paint */
const INNER = sampleFlow({
  nodes: [
    sampleNode('idea', 'user_prompt', { position: { x: 1000, y: 500 } }),
    sampleNode('write', 'language_model', { position: { x: 1300, y: 540 } }),
    sampleNode('paint', 'image_generation', { position: { x: 1600, y: 520 } }),
  ],
  edges: [
    { from: 'idea.output', to: 'write.prompt' },
    { from: 'write.output', to: 'paint.prompt' },
  ],
})

/** ask -> agent -> animate */
const OUTER = sampleFlow({
  nodes: [
    sampleNode('ask', 'language_model'),
    sampleNode('part', 'agent', { position: { x: 300, y: 100 }, settings: { flow: 'f1' } }),
    sampleNode('animate', 'video_generation', { position: { x: 900, y: 100 } }),
  ],
  edges: [
    { from: 'ask.output', to: 'part.idea' },
    { from: 'part.paint', to: 'animate.image' },
  ],
})

const dissolved = (inner: FlowDocument, outer = OUTER) =>
  dissolveAgent(outer, CATALOG, 'part', inner).document
const edgesOf = ({ edges }: FlowDocument) => edges.map(({ from, to }) => `${from} ${to}`).sort()

describe('an agent that is dissolved', () => {
  it('leaves the edges between other nodes', () => {
    const nodes = [...OUTER.nodes, sampleNode('again', 'language_model')]
    const edges = [...OUTER.edges, { from: 'ask.output', to: 'again.prompt' }]
    expect(edgesOf(dissolved(INNER, { ...OUTER, nodes, edges }))).toContain('ask.output again.prompt')
  })

  it('is replaced by its nodes at its place, in the distances that they have', () => {
    const places = dissolved(withNode(INNER, 'idea', { mode: 'disabled' })).nodes.map(({ id, position }) => [
      id,
      position,
    ])
    const byId = new Map(places as [string, { x: number; y: number }][])
    const corner = byId.get('idea') ?? { x: Number.NaN, y: Number.NaN }
    expect(byId.get('write')).toEqual({ x: corner.x + 300, y: corner.y + 40 })
    expect(byId.get('paint')).toEqual({ x: corner.x + 600, y: corner.y + 20 })
    expect(byId.get('ask')).toEqual({ x: 0, y: 0 })
    expect(byId.has('part')).toBe(false)
  })

  it('is the same document if there is no such node', () => {
    expect(dissolveAgent(OUTER, CATALOG, 'missing', INNER)).toEqual({ document: OUTER, ids: [] })
  })

  it('brings its notes and groups along, notes in their distance to the nodes', () => {
    const noted = addNote(INNER, { x: 1300, y: 460 }, 'Begin here').document
    const inner = groupNodes(
      withNode(noted, 'idea', { mode: 'disabled' }),
      ['write', 'paint'],
      'Make',
    ).document
    const document = dissolved(inner)
    const at = findNode(document, 'idea')?.position ?? { x: Number.NaN, y: Number.NaN }
    expect(notesOf(document)).toMatchObject([
      { text: 'Begin here', position: { x: at.x + 300, y: at.y - 40 } },
    ])
    expect(groupsOf(document)).toMatchObject([{ title: 'Make', members: ['write', 'paint'] }])
  })

  it('brings the notes of an agent without nodes', () => {
    const empty = addNote(sampleFlow({ nodes: [], edges: [] }), { x: 7, y: 9 }, 'To do').document
    const { document } = dissolveAgent(OUTER, CATALOG, 'part', empty)
    expect(notesOf(document)).toMatchObject([{ text: 'To do', position: { x: 307, y: 109 } }])
  })

  it('gives its nodes ids that no node of the outer agent has', () => {
    const outer = withNode(OUTER, 'ask', { id: 'write' })
    const renamed = {
      ...outer,
      edges: [{ from: 'write.output', to: 'part.idea' }, ...outer.edges.slice(1)],
    }
    const document = dissolved(INNER, renamed)
    expect(document.nodes.map(({ id }) => id).sort()).toEqual(['animate', 'paint', 'write', 'write_2'])
    expect(edgesOf(document)).toEqual([
      'paint.output animate.image',
      'write.output write_2.prompt',
      'write_2.output paint.prompt',
    ])
  })
})

describe('an input node of an agent that is dissolved', () => {
  const passes = (inner: FlowDocument, outer = OUTER) =>
    findNode(dissolved(inner, outer), 'idea') === undefined

  it('is left out if it only passes on what feeds it', () => {
    expect(edgesOf(dissolved(INNER))).toEqual([
      'ask.output write.prompt',
      'paint.output animate.image',
      'write.output paint.prompt',
    ])
  })

  it('that is a result itself gives what feeds it', () => {
    const outer = { ...OUTER, edges: [...OUTER.edges, { from: 'part.idea', to: 'animate.prompt' }] }
    expect(edgesOf(dissolved(INNER, outer))).toContain('ask.output animate.prompt')
  })

  it('stays if it is pinned, disabled, or of another type than what feeds it', () => {
    const pin = { outputs: { output: { type: 'Text', depth: 0, value: 'x' } } }
    expect(passes(withNode(INNER, 'idea', { pin }))).toBe(false)
    expect(passes(withNode(INNER, 'idea', { mode: 'disabled' }))).toBe(false)
    expect(passes(INNER, withNode(OUTER, 'ask', { type: 'number' }))).toBe(false)
  })

  it('stays if what feeds it may be empty and it may not, which stops a run', () => {
    const optional = withNode(INNER, 'idea', { type: 'note_input' })
    expect(passes(optional)).toBe(false)
    expect(passes(withNode(optional, 'idea', { settings: { may_be_empty: true } }))).toBe(true)
  })

  it('stays if it has settings of its own, unless an input with the same ones feeds it', () => {
    const limited = { settings: { text: 'a', audience: 'children' } }
    const inner = withNode(INNER, 'idea', limited)
    expect(passes(inner)).toBe(false)
    const fedBy = (settings: FlowNode['settings']) =>
      withNode(OUTER, 'ask', { type: 'user_prompt', settings })
    expect(passes(inner, fedBy({ text: 'b', audience: 'children' }))).toBe(true)
    expect(passes(inner, fedBy({ text: 'a' }))).toBe(false)
  })

  it('of a brand stays: it tidies the brand that it is given', () => {
    const inner = {
      ...withNode(INNER, 'idea', { type: 'brand_input' }),
      edges: [{ from: 'idea.output', to: 'write.brand' }],
    }
    expect(passes(inner, withNode(OUTER, 'ask', { type: 'brand_maker' }))).toBe(false)
    expect(passes(inner, withNode(OUTER, 'ask', { type: 'brand_input' }))).toBe(true)
  })
})

describe('the results of an agent that is dissolved', () => {
  const resultsIn = (document: FlowDocument) =>
    document.nodes.filter(({ result }) => result !== undefined).map(({ id, result }) => [id, result])

  it('stay results if the node showed them though they feed others', () => {
    expect(resultsIn(dissolved(INNER, withNode(OUTER, 'part', { result: true })))).toEqual([['paint', true]])
  })

  it('are shown no longer if the node fed others and showed none', () => {
    const loose = { ...OUTER, edges: OUTER.edges.slice(0, 1) }
    expect(resultsIn(dissolved(INNER, loose))).toEqual([])
    expect(resultsIn(dissolved(INNER, withNode(loose, 'part', { result: false })))).toEqual([
      ['paint', false],
    ])
  })

  it('of nodes that feed others are shown as in the agent, if the node showed any', () => {
    const inner = withNode(INNER, 'write', { result: true })
    expect(resultsIn(dissolved(inner, withNode(OUTER, 'part', { result: true })))).toEqual([
      ['write', true],
      ['paint', true],
    ])
    expect(resultsIn(dissolved(inner))).toEqual([['paint', false]])
    expect(resultsIn(dissolved(withNode(INNER, 'write', { result: false })))).toContainEqual(['write', false])
  })

  it('are found by node and port where a node has several outputs', () => {
    const outer = { ...OUTER, edges: [{ from: 'part.paint.output', to: 'animate.image' }] }
    expect(edgesOf(dissolved(INNER, outer))).toContain('paint.output animate.image')
    const gone = { ...OUTER, edges: [{ from: 'part.gone.output', to: 'animate.image' }] }
    expect(edgesOf(dissolved(INNER, gone)).some((edge) => edge.endsWith('animate.image'))).toBe(false)
  })
})

describe('the settings of an agent that is dissolved', () => {
  const offered = withNode(INNER, 'write', {
    exposed: { model: { label: 'Writer', order: 3 }, system_prompt: { order: 1 } },
  })

  it('are offered as the node offered them, in its words and order', () => {
    const outer = withNode(OUTER, 'part', { exposed: { 'write.model': { label: 'Model', order: 0 } } })
    expect(findNode(dissolved(offered, outer), 'write')?.exposed).toEqual({
      model: { label: 'Model', order: 0 },
    })
    expect(findNode(dissolved(offered), 'write')?.exposed).toBeUndefined()
  })

  it('are driven by the edges that drove the inputs of the node', () => {
    const outer = { ...OUTER, edges: [...OUTER.edges, { from: 'ask.output', to: 'part.write.model' }] }
    expect(edgesOf(dissolved(offered, outer))).toContain('ask.output write.model')
  })

  it('have the variables that the node had for them', () => {
    const variables = [{ name: 'tone', type: 'Text' as const, value: 'warm' }]
    const using = (uses: Record<string, string>) => ({
      ...withNode(OUTER, 'part', { variables: uses }),
      variables,
    })
    const found = dissolved(offered, using({ 'inputs.write.model': 'tone' }))
    expect(findNode(found, 'write')?.variables).toEqual({ model: 'tone' })
    const hidden = dissolved(INNER, using({ 'inputs.write.model': 'tone' }))
    expect(findNode(hidden, 'write')?.variables).toBeUndefined()
    const alone = { ...using({ 'inputs.idea': 'tone' }), edges: OUTER.edges.slice(1) }
    expect(findNode(dissolved(INNER, alone), 'idea')?.variables).toEqual({ text: 'tone' })
  })
})

describe('the place of dissolved nodes', () => {
  const placed = (inner: FlowDocument) => {
    const asked: string[][] = []
    const { document, ids } = dissolveAgent(OUTER, CATALOG, 'part', inner, (nodes) => {
      asked.push(nodes.map(({ id }) => id))
      return { x: 20, y: 5 }
    })
    return { asked, places: ids.map((id) => [id, findNode(document, id)?.position]) }
  }
  const only = (...ids: string[]) => ({ ...INNER, nodes: INNER.nodes.filter(({ id }) => ids.includes(id)) })

  it('is asked for those that stay, and is that of their left upper corner', () => {
    expect(placed(INNER)).toEqual({
      asked: [['write', 'paint']],
      places: [
        ['write', { x: 20, y: 25 }],
        ['paint', { x: 320, y: 5 }],
      ],
    })
    expect(placed(only('paint'))).toEqual({ asked: [['paint']], places: [['paint', { x: 20, y: 5 }]] })
  })

  it('is not asked for where none stays', () => {
    expect(placed(only('idea'))).toEqual({ asked: [], places: [] })
  })

  it('is that of the node that is replaced, without another one', () => {
    const flow = dissolved(only('paint'))
    expect(findNode(flow, 'paint')?.position).toEqual({ x: 300, y: 100 })
    expect(dissolveAgent(OUTER, CATALOG, 'gone', INNER)).toEqual({ document: OUTER, ids: [] })
  })
})

it('an edge into the agent that reaches none of its nodes is left out', () => {
  const lost = {
    ...OUTER,
    edges: [
      ...OUTER.edges,
      { from: 'ask.output', to: 'part.gone' },
      { from: 'ask.output', to: 'part.write' },
    ],
  }
  expect(edgesOf(dissolved(INNER, lost))).toEqual(edgesOf(dissolved(INNER)))
})

it('a value of the agent takes the place of a variable of that setting alone', () => {
  const uses = { model: 'kind', system_prompt: 'tone' }
  const variables = [
    { name: 'kind', type: 'Text' as const, value: 'b' },
    { name: 'tone', type: 'Text' as const, value: 'calm' },
  ]
  const offered = withNode(INNER, 'write', { variables: uses, exposed: { model: {} } })
  const outer = withNode(OUTER, 'part', { settings: { flow: 'f1', inputs: { 'write.model': 'c' } } })
  const write = findNode(dissolved({ ...offered, variables }, outer), 'write')
  expect(write?.settings.model).toBe('c')
  expect(write?.variables).toEqual({ system_prompt: 'tone' })
})
