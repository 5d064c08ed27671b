import { describe, expect, it } from 'vitest'
import { SAMPLE, sampleFlow, sampleNode } from '@/test/flow-samples'
import { Catalog, type NodeType } from './catalog'
import { bridges, checkConnection, edgesAt, nameEnd } from './connect'
import { type End, parseEnd } from './document'
import { bridge } from './edits/edges'
import { indexOf } from './graph-index'
import { describePort } from './ports'

const end = (text: string): End => parseEnd(text)
const more = (...nodes: ReturnType<typeof sampleNode>[]) =>
  sampleFlow({ nodes: [...sampleFlow().nodes, ...nodes] })

describe('checkConnection', () => {
  it('allows a connection between ports of the same type', () => {
    const flow = more(sampleNode('again', 'language_model'))
    expect(checkConnection(flow, SAMPLE, end('ask.output'), end('again.prompt'))).toEqual({
      allowed: true,
      conversion: null,
      mapDepth: 0,
      replaces: null,
    })
  })

  it('names both ports and both types of a refused connection, and suggests nodes that convert', () => {
    const flow = more(sampleNode('again', 'video_generation'))
    expect(checkConnection(flow, SAMPLE, end('ask.output'), end('again.image'))).toEqual({
      allowed: false,
      reason: {
        code: 'typeMismatch',
        source: { port: 'Output', node: 'User prompt', type: 'Text' },
        target: { port: 'Image', node: 'Video generation', type: 'Image' },
      },
      bridges: [{ type: 'image_generation', title: 'Image generation', input: 'prompt', output: 'output' }],
    })
  })

  it('suggests at most three nodes: without a model before with one, transforms first, never deprecated ones', () => {
    const port = (name: string, type: string, required = true) => ({
      ...{ name, title: name, help: '', type, list: false, required },
    })
    const base = SAMPLE.types.find((type) => type.id === 'number') as NodeType
    const bridge = (id: string, more: Partial<NodeType>) => ({
      ...{ ...base, id, title: id, category: 'ai_models', generative: false, input: null },
      ...{ inputs: [port('text', 'Text')], outputs: [port('image', 'Image')], ...more },
    })
    const types = [
      bridge('model', { generative: true }),
      bridge('model_transform', { generative: true, category: 'transform_assets' }),
      bridge('plain', {}),
      bridge('needs_more', { inputs: [port('text', 'Text'), port('mask', 'Mask')] }),
      bridge('old', { category: 'transform_assets', deprecated: true }),
      bridge('transform', {
        category: 'transform_assets',
        inputs: [port('mask', 'Mask', false), port('text', 'Text')],
      }),
    ] as NodeType[]
    const catalog = new Catalog({ types, conversions: [], value_types: [], categories: [], broken: [] })
    const found = bridges({ type: 'Text', list: false }, { type: 'Image', list: false }, catalog)
    expect(found.map(({ type }) => type)).toEqual(['transform', 'plain', 'model_transform'])
    expect(found[0]).toEqual({ type: 'transform', title: 'transform', input: 'text', output: 'image' })
  })

  it('names the packages of two plugin types of the same name', () => {
    const port = (name: string, type: string) => ({ name, title: name, help: '', type, list: false })
    const base = SAMPLE.types.find((type) => type.id === 'number') as NodeType
    const plain = { ...base, input: null, inputs: [], outputs: [] }
    const write = { ...plain, id: 'write', title: 'Write', outputs: [port('output', 'wt2.Chapter')] }
    const read = { ...plain, id: 'read', title: 'Read', inputs: [port('chapter', 'wt.Chapter')] }
    const catalog = new Catalog({
      types: [write, read],
      conversions: [],
      value_types: [],
      categories: [],
      broken: [],
    })
    const flow = sampleFlow({ nodes: [sampleNode('w', 'write'), sampleNode('r', 'read')], edges: [] })
    expect(checkConnection(flow, catalog, end('w.output'), end('r.chapter'))).toMatchObject({
      allowed: false,
      reason: { source: { type: 'Chapter (wt2)' }, target: { type: 'Chapter (wt)' } },
    })
    expect(describePort({ type: 'wt.Chapter', list: true })).toBe('Chapter list')
  })

  it('names Flatten where lists of lists meet another edge of a list, and inserts it', () => {
    const lists = {
      name: 'lists',
      title: 'Lists',
      help: '',
      type: 'Any',
      list: true,
      depth: 2,
      required: true,
    }
    const base = SAMPLE.types.find((type) => type.id === 'number') as NodeType
    const flatten: NodeType = {
      ...{ ...base, id: 'flatten', title: 'Flatten', input: null, inputs: [lists] },
      outputs: [{ ...lists, name: 'output', depth: 1 }],
    }
    // One image per prompt becomes a list of videos each; the join already has a video.
    const nodes = [
      sampleNode('ask', 'user_prompt'),
      sampleNode('paint', 'image_generation'),
      sampleNode('many', 'video_generation'),
      sampleNode('one', 'video_generation'),
      sampleNode('join', 'join_clips'),
    ]
    const fan = { ...SAMPLE.data, types: [...SAMPLE.types, flatten] }
    fan.types = fan.types.map((type) =>
      type.id === 'video_generation'
        ? { ...type, outputs: type.outputs.map((port) => ({ ...port, list: true, depth: 1 })) }
        : type,
    )
    const nested = new Catalog(fan)
    const flow = sampleFlow({
      nodes,
      edges: [
        { from: 'ask.output', to: 'paint.prompt' },
        { from: 'paint.output', to: 'many.image' },
        { from: 'one.output', to: 'join.clips' },
      ],
    })
    const check = checkConnection(flow, nested, end('many.output'), end('join.clips'))
    expect(check).toMatchObject({
      allowed: false,
      bridges: [{ type: 'flatten', input: 'lists', output: 'output' }],
    })
    if (check.allowed || !check.bridges[0]) throw new Error('it is refused with a bridge')
    const mended = bridge(flow, nested, end('many.output'), end('join.clips'), check.bridges[0], {
      x: 0,
      y: 0,
    })
    expect(mended?.document.edges).toContainEqual({ from: 'many.output', to: 'flatten.lists' })
    expect(mended?.document.edges).toContainEqual({ from: 'flatten.output', to: 'join.clips' })
  })

  it('reports the automatic conversion', () => {
    const flow = more(sampleNode('count', 'number'), sampleNode('again', 'language_model'))
    expect(checkConnection(flow, SAMPLE, end('count.output'), end('again.prompt'))).toMatchObject({
      conversion: { from: 'Integer', to: 'Text' },
    })
  })

  it('reports that a list into a single port runs once per item', () => {
    const flow = more(sampleNode('again', 'video_generation'))
    expect(checkConnection(flow, SAMPLE, end('paint.output'), end('again.image'))).toMatchObject({
      mapDepth: 1,
    })
  })

  it('follows mapping through the graph: the output of a mapped node is a list', () => {
    const flow = more(sampleNode('join', 'join_clips'))
    expect(indexOf(flow, SAMPLE).mapDepths.get('animate')).toBe(1)
    expect(checkConnection(flow, SAMPLE, end('animate.output'), end('join.clips'))).toMatchObject({
      allowed: true,
      mapDepth: 0,
    })
  })

  it('replaces the edge of a single input', () => {
    expect(checkConnection(sampleFlow(), SAMPLE, end('ask.output'), end('paint.prompt'))).toMatchObject({
      replaces: { from: 'write.output', to: 'paint.prompt' },
    })
  })

  it('replaces no edge that has its own end moved', () => {
    const flow = sampleFlow()
    const moving = flow.edges.find(({ to }) => to === 'paint.prompt')
    expect(checkConnection(flow, SAMPLE, end('ask.output'), end('paint.prompt'), moving)).toMatchObject({
      replaces: null,
    })
  })

  it('refuses cycles and self-connections', () => {
    expect(checkConnection(sampleFlow(), SAMPLE, end('write.output'), end('write.prompt'))).toMatchObject({
      reason: { code: 'sameNode' },
    })
    const flow = more(sampleNode('second', 'language_model'))
    const looped = { ...flow, edges: [...flow.edges, { from: 'write.output', to: 'second.prompt' }] }
    expect(checkConnection(looped, SAMPLE, end('second.output'), end('write.prompt'))).toMatchObject({
      allowed: false,
      reason: { code: 'cycle', source: 'Language model', target: 'Language model' },
    })
  })

  it('takes the type of a setting from its schema', () => {
    const flow = more(sampleNode('count', 'number'))
    expect(checkConnection(flow, SAMPLE, end('count.output'), end('paint.n_images'))).toMatchObject({
      allowed: true,
    })
    expect(checkConnection(flow, SAMPLE, end('ask.output'), end('paint.n_images'))).toMatchObject({
      allowed: false,
    })
  })

  it('gives every template variable its own port, also with a non-Latin name or a default', () => {
    const writer = sampleNode('letter', 'language_model', {
      settings: { system_prompt: 'For {{ name }}, {{naïve}} {{ who | our guests }}' },
    })
    for (const name of ['name', 'naïve', 'who'])
      expect(checkConnection(more(writer), SAMPLE, end('ask.output'), end(`letter.${name}`))).toMatchObject({
        allowed: true,
      })
    expect(checkConnection(more(writer), SAMPLE, end('ask.output'), end('letter.other'))).toMatchObject({
      allowed: false,
    })
  })
})

describe('the edges of a port', () => {
  const flow = sampleFlow()

  it('are those that start or end there', () => {
    const at = (node: string, port: string, side: 'source' | 'target') =>
      edgesAt(flow, SAMPLE, { node, port }, side).map((edge) => `${edge.from}>${edge.to}`)
    expect(at('write', 'output', 'source')).toEqual(['write.output>paint.prompt'])
    expect(at('write', 'prompt', 'target')).toEqual(['ask.output>write.prompt'])
    expect(at('write', 'brand', 'target')).toEqual([])
  })

  it('are described by the titles of ports and nodes', () => {
    const titled = { ...flow, nodes: flow.nodes.map((node) => ({ ...node, title: `My ${node.id}` })) }
    expect(nameEnd(titled, SAMPLE, 'paint.prompt', 'target')).toEqual({ port: 'Prompt', node: 'My paint' })
    expect(nameEnd(flow, SAMPLE, 'gone.there', 'target')).toEqual({ port: 'there', node: 'gone' })
  })
})

it.each([
  ['ask.output', 'gone.prompt'],
  ['gone.output', 'write.prompt'],
  ['ask.gone', 'write.prompt'],
  ['ask.output', 'write.gone'],
  ['gone.output', 'gone.prompt'],
])('refuses an edge from %s to %s: a port is missing', (from, to) => {
  expect(checkConnection(sampleFlow(), SAMPLE, parseEnd(from), parseEnd(to))).toEqual({
    allowed: false,
    reason: { code: 'missingPort' },
    bridges: [],
  })
})
