import { describe, expect, it } from 'vitest'
import { SAMPLE, sampleFlow, sampleNode, samplePort, sampleType } from '@/test/flow-samples'
import { Catalog } from './catalog'
import { findNode, parseEnd } from './document'
import { edgeDropOn } from './edge-drop'

const flow = sampleFlow({
  nodes: [
    sampleNode('ask', 'user_prompt'),
    sampleNode('count', 'number'),
    sampleNode('paint', 'image_generation'),
  ],
  edges: [],
})
const fed = { ...flow, edges: [{ from: 'ask.output', to: 'paint.prompt' }] }

function land(document: typeof flow, from: string, to: string, side: 'source' | 'target' = 'source') {
  const node = findNode(document, to)
  if (!node) throw new Error(`${to} is not in the flow`)
  return edgeDropOn(document, SAMPLE, node, parseEnd(from), side)
}

describe('edgeDropOn', () => {
  it('takes the only free port of exactly the type', () => {
    expect(land(flow, 'ask.output', 'paint')).toMatchObject({
      kind: 'port',
      option: { port: { name: 'prompt' }, replaces: null },
    })
  })

  it('says what it replaces where the only port that fits is connected', () => {
    const two = { ...fed, nodes: [...fed.nodes, sampleNode('other', 'user_prompt')] }
    expect(land(two, 'other.output', 'paint')).toMatchObject({
      kind: 'port',
      option: { replaces: { from: 'ask.output' } },
    })
  })

  it('asks where a text port would convert a number that also fits a setting', () => {
    const edgeDrop = land(flow, 'count.output', 'paint')
    if (edgeDrop?.kind === 'ask')
      expect(edgeDrop.options.map(({ port, becomes }) => [port.name, port.kind, becomes])).toEqual([
        ['n_images', 'setting', null],
        ['prompt', 'port', 'Text'],
      ])
    else expect(edgeDrop?.kind).toBe('ask')
  })

  it('offers a setting to values of its own type only', () => {
    const options = (type: string) => {
      const { types, ...rest } = SAMPLE.data
      const setting = { type: 'object', properties: { weight: { type } } } as const
      const changed = types.map((one) =>
        one.id === 'image_generation' ? { ...one, settings: setting } : one,
      )
      const found = edgeDropOn(
        flow,
        new Catalog({ ...rest, types: changed }),
        paint,
        parseEnd('count.output'),
        'source',
      )
      return found?.kind === 'ask' ? found.options.map(({ port }) => port.name) : found?.kind
    }
    const paint = flow.nodes[2] as (typeof flow.nodes)[number]
    expect(options('integer')).toEqual(['weight', 'prompt'])
    expect(options('number')).toEqual(['weight', 'prompt'])
    expect(options('string')).toBe('port')
  })

  it('takes one port of exactly the type before others, and asks which of two', () => {
    const { types, ...rest } = SAMPLE.data
    const landing = (second: string) => {
      const changed = types.map((one) => {
        const [prompt] = one.inputs
        if (one.id !== 'language_model' || !prompt) return one
        return { ...one, inputs: [prompt, { ...prompt, name: 'second', type: second }] }
      })
      const write = sampleNode('write', 'language_model')
      const open = { ...flow, nodes: [...flow.nodes, write] }
      return edgeDropOn(
        open,
        new Catalog({ ...rest, types: changed }),
        write,
        parseEnd('count.output'),
        'source',
      )
    }
    expect(landing('Integer')).toMatchObject({ kind: 'port', option: { port: { name: 'second' } } })
    expect(landing('Text')?.kind).toBe('ask')
  })

  it('offers no port that has this edge already', () => {
    expect(land(fed, 'ask.output', 'paint')).toMatchObject({ kind: 'refused' })
    const two = { ...fed, nodes: [...fed.nodes, sampleNode('write', 'language_model')] }
    expect(land(two, 'ask.output', 'write')).toMatchObject({
      kind: 'port',
      option: { port: { name: 'prompt' } },
    })
  })

  it('is refused by a node without a port that fits, and by the node itself', () => {
    expect(land(flow, 'paint.output', 'ask')).toBeNull()
    expect(land(flow, 'ask.output', 'ask')).toBeNull()
    const animate = { ...flow, nodes: [...flow.nodes, sampleNode('animate', 'video_generation')] }
    expect(land(animate, 'ask.output', 'animate')).toMatchObject({ kind: 'refused' })
  })

  it('offers free ports before connected ones, and of each kind those of the type first', () => {
    const orderOf = (...names: string[]) => {
      const inputs = names.map((name) => samplePort(name, name.endsWith('text') ? 'Text' : 'Integer'))
      const catalog = new Catalog({ ...SAMPLE.data, types: [...SAMPLE.types, sampleType('mix', { inputs })] })
      const mix = sampleNode('mix', 'mix')
      const connected = {
        ...flow,
        nodes: [...flow.nodes, sampleNode('other', 'number'), mix],
        edges: [
          { from: 'ask.output', to: 'mix.full_text' },
          { from: 'other.output', to: 'mix.full_count' },
        ],
      }
      const drop = edgeDropOn(connected, catalog, mix, parseEnd('count.output'), 'source')
      return drop?.kind === 'ask' ? drop.options.map(({ port }) => port.name) : drop
    }
    expect(orderOf('full_text', 'full_count', 'text', 'count', 'second_count')).toEqual([
      ...['count', 'second_count', 'text'],
      ...['full_count', 'full_text'],
    ])
    expect(orderOf('full_text', 'full_count', 'text')).toEqual(['text', 'full_count', 'full_text'])
  })

  it('is refused at the first port of the node', () => {
    const animate = sampleNode('animate', 'video_generation')
    const open = { ...flow, nodes: [...flow.nodes, animate] }
    expect(land(open, 'ask.output', 'animate')).toEqual({
      kind: 'refused',
      from: { node: 'ask', port: 'output' },
      to: { node: 'animate', port: 'image' },
    })
    expect(land(open, 'animate.image', 'ask', 'target')).toEqual({
      kind: 'refused',
      from: { node: 'ask', port: 'output' },
      to: { node: 'animate', port: 'image' },
    })
  })

  it('does nothing if the port or node of the edge is missing', () => {
    expect(land(flow, 'ask.missing', 'paint')).toBeNull()
    expect(land(flow, 'missing.output', 'paint')).toBeNull()
  })

  it('does not offer a setting of any type beside a port that fits', () => {
    const { types, ...rest } = SAMPLE.data
    const open = types.map((one) =>
      one.id === 'image_generation'
        ? { ...one, settings: { type: 'object', properties: { extra: {} } } }
        : one,
    )
    const paint = flow.nodes[2] as (typeof flow.nodes)[number]
    const catalog = new Catalog({ ...rest, types: open as typeof types })
    expect(edgeDropOn(flow, catalog, paint, parseEnd('ask.output'), 'source')).toMatchObject({
      kind: 'port',
      option: { port: { name: 'prompt' } },
    })
  })
})
