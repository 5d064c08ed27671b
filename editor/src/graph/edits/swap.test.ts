import { describe, expect, it } from 'vitest'
import { Catalog, type NodeType } from '@/graph/catalog'
import { edgeId, findNode } from '@/graph/document'
import { SAMPLE, sampleFlow, sampleNode, samplePort, sampleType, withNode } from '@/test/flow-samples'
import { swapChoices, swapType } from './swap'

const typeOf = (id: string) => SAMPLE.type(id) as NonNullable<ReturnType<typeof SAMPLE.type>>

describe('swapping the type of a node', () => {
  it('keeps title, place, and the edges and settings that fit', () => {
    const flow = withNode(sampleFlow(), 'paint', { title: 'Hero', settings: { n_images: 3 } })
    const swapped = swapType(flow, SAMPLE, 'write', typeOf('image_generation'))
    expect(swapped.document.edges).toContainEqual({ from: 'ask.output', to: 'write.prompt' })
    // An image is no prompt for the next node.
    expect(swapped.lostEdges).toBe(1)
    const hero = swapType(flow, SAMPLE, 'paint', typeOf('language_model'))
    expect(findNode(hero.document, 'paint')).toMatchObject({
      title: 'Hero',
      type: 'language_model',
      position: { x: 600, y: 0 },
      settings: {},
    })
    expect(hero.lostSettings).toBe(1)
  })

  it('moves an edge to the nearest free port when the name differs', () => {
    const flow = sampleFlow({
      nodes: [sampleNode('paint', 'image_generation'), sampleNode('join', 'palette')],
      edges: [{ from: 'paint.output', to: 'join.image' }],
    })
    const swapped = swapType(flow, SAMPLE, 'paint', typeOf('video_generation'))
    expect(swapped.document.edges).toEqual([])
    expect(swapped.lostEdges).toBe(1)
    const back = swapType(flow, SAMPLE, 'join', typeOf('video_generation'))
    expect(back.document.edges).toEqual([{ from: 'paint.output', to: 'join.image' }])
  })

  it('refuses nothing, and returns the same document for the same type', () => {
    const flow = sampleFlow()
    expect(swapType(flow, SAMPLE, 'paint', typeOf('image_generation')).document).toBe(flow)
    expect(swapType(flow, SAMPLE, 'missing', typeOf('palette')).document).toBe(flow)
  })

  it('offers first what keeps most edges, then what has the same category, then what keeps most settings', () => {
    const [first] = swapChoices(sampleFlow(), SAMPLE, 'animate')
    expect(first?.id).toBe('palette')
    const ids = (type: string, settings = {}) => {
      const alone = sampleFlow({ nodes: [sampleNode('one', type, { settings })], edges: [] })
      return swapChoices(alone, SAMPLE, 'one').map(({ id }) => id)
    }
    expect(ids('palette').slice(0, 2)).toEqual(['join_clips', 'user_prompt'])
    expect(ids('video_generation', { n_images: 2 }).slice(0, 2)).toEqual([
      'image_generation',
      'language_model',
    ])
  })

  it('keeps a value that the new type takes, and no other', () => {
    const kept = (settings: Record<string, unknown>) => {
      const alone = sampleFlow({ nodes: [sampleNode('one', 'video_generation', { settings })], edges: [] })
      return swapType(alone, SAMPLE, 'one', typeOf('image_generation'))
    }
    expect(findNode(kept({ n_images: 3 }).document, 'one')?.settings).toEqual({ n_images: 3 })
    const lost = kept({ n_images: 'three', other: 1 })
    expect([findNode(lost.document, 'one')?.settings, lost.lostSettings]).toEqual([{}, 2])
  })
})

describe('the variables of a swapped node', () => {
  const text = { type: 'string' } as const
  const settings = { type: 'object', properties: { text, topic: text, hint: text } } as const
  const prompt = typeOf('user_prompt')
  const [asking, telling, drawing] = [
    { ...prompt, id: 'asking', input: 'text', settings },
    { ...prompt, id: 'telling', input: 'topic', settings },
    { ...prompt, id: 'drawing', input: null, settings },
  ]
  const catalog = new Catalog({ ...SAMPLE.data, types: [asking, telling, drawing] as NodeType[] })
  const swapped = (from: string, to: NodeType) => {
    const variables = { text: 'tone', hint: 'tone' }
    const flow = sampleFlow({
      nodes: [sampleNode('one', from, { variables })],
      edges: [],
      variables: [{ name: 'tone', type: 'Text', value: 'dry' }],
    })
    return findNode(swapType(flow, catalog, 'one', to).document, 'one')?.variables
  }

  it('set the input of the new type if they set that of the old one', () => {
    expect(swapped('asking', telling)).toEqual({ topic: 'tone', hint: 'tone' })
  })

  it('set the setting of the same name if one of the types has no input', () => {
    expect(swapped('asking', drawing)).toEqual({ text: 'tone', hint: 'tone' })
    expect(swapped('drawing', telling)).toEqual({ text: 'tone', hint: 'tone' })
  })
})

it('offers launchers the settings that the new type has too, and no others', () => {
  const exposed = { n_images: { label: 'Pictures' } }
  const paint = sampleNode('paint', 'image_generation', { exposed })
  const image = SAMPLE.type('image_generation') as NodeType
  const swapped = (properties: NodeType['settings']['properties']) => {
    const type = { ...image, id: 'other', settings: { type: 'object', properties } } as NodeType
    const catalog = new Catalog({ ...SAMPLE.data, types: [...SAMPLE.types, type] })
    return findNode(
      swapType(sampleFlow({ nodes: [paint], edges: [] }), catalog, 'paint', type).document,
      'paint',
    )
  }
  expect(swapped({ n_images: { type: 'integer' }, size: { type: 'integer' } })?.exposed).toEqual(exposed)
  expect(swapped({ size: { type: 'integer' } })).not.toHaveProperty('exposed')
})

describe('edges and settings after a swap', () => {
  const settings = { properties: { tone: { type: 'string' } } }
  const source = sampleType('source', {
    outputs: [samplePort('first', 'Integer'), samplePort('second', 'Text')],
  })
  const two = sampleType('two', { inputs: [samplePort('a', 'Text'), samplePort('b', 'Text')], settings })
  const one = sampleType('one', { inputs: [samplePort('b', 'Text')], settings })
  const many = sampleType('many', { inputs: [samplePort('c', 'Text', { list: true })] })
  const catalog = new Catalog({ ...SAMPLE.data, types: [...SAMPLE.data.types, source, two, one, many] })
  const flow = sampleFlow({
    nodes: [sampleNode('ask', 'user_prompt'), sampleNode('tell', 'user_prompt'), sampleNode('mix', 'two')],
    edges: [
      { from: 'ask.output', to: 'mix.a' },
      { from: 'tell.output', to: 'mix.b' },
      { from: 'tell.output', to: 'mix.tone' },
    ],
  })
  const edgesTo = (type: NodeType, document = flow) => {
    const { document: after, lostEdges } = swapType(document, catalog, 'mix', type)
    return [after.edges.map(edgeId), lostEdges]
  }

  it('one edge leads into a single input, and all edges into a list', () => {
    expect(edgesTo(one)).toEqual([['ask.output>mix.b', 'tell.output>mix.tone'], 1])
    expect(edgesTo(many)).toEqual([['ask.output>mix.c', 'tell.output>mix.c'], 1])
  })

  it('an edge is lost if its other end is missing', () => {
    const gone = { ...flow, edges: [{ from: 'gone.output', to: 'mix.a' }, ...flow.edges.slice(1)] }
    expect(edgesTo(one, gone)).toEqual([['tell.output>mix.b', 'tell.output>mix.tone'], 1])
  })

  it('an edge leaves from the output of the same name, else from the one whose type is nearest', () => {
    const from = (output: string) => {
      const document = sampleFlow({
        nodes: [sampleNode('mix', 'user_prompt'), sampleNode('write', 'language_model')],
        edges: [{ from: `mix.${output}`, to: 'write.prompt' }],
      })
      return swapType(document, catalog, 'mix', source).document.edges
    }
    expect(from('first')).toEqual([{ from: 'mix.first', to: 'write.prompt' }])
    expect(from('output')).toEqual([{ from: 'mix.second', to: 'write.prompt' }])
  })

  it('nothing is lost for the same type or a missing node', () => {
    const nothing = { document: flow, lostEdges: 0, lostSettings: 0 }
    expect(swapType(flow, catalog, 'mix', two)).toEqual(nothing)
    expect(swapType(flow, catalog, 'missing', one)).toEqual(nothing)
    expect(swapChoices(flow, catalog, 'missing')).toEqual([])
  })

  it('the value of an input node is kept under the name of its new setting, and no other value is', () => {
    const text = sampleType('words', {
      input: 'words',
      settings: { properties: { words: { type: 'string' } } },
    })
    const types = new Catalog({ ...SAMPLE.data, types: [...SAMPLE.data.types, text] })
    const settings = { text: 'A jug', other: 'x' }
    const asked = sampleFlow({ nodes: [sampleNode('ask', 'user_prompt', { settings })], edges: [] })
    const swapped = swapType(asked, types, 'ask', text)
    expect(findNode(swapped.document, 'ask')?.settings).toEqual({ words: 'A jug' })
    expect(swapped.lostSettings).toBe(1)
  })
})
