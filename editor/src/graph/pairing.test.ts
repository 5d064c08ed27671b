import { describe, expect, it } from 'vitest'
import { SAMPLE, sampleFlow, sampleNode } from '@/test/flow-samples'
import { Catalog, type NodeType } from './catalog'
import { bestPair, costOf } from './pairing'
import type { Port } from './ports'

const port = (type: string, more: Partial<Port> = {}): Port => ({
  ...{ name: 'a', title: 'A', help: '', type, list: false, depth: 0, lazy: false, required: true },
  kind: 'port',
  ...more,
})

it('ports are nearer the more they have in common: their type, their depth, and that the input is required', () => {
  const text = port('Text')
  const costs = [
    costOf(text, text),
    costOf(text, port('Text', { required: false })),
    costOf(text, port('Text', { depth: 1 })),
    costOf(text, port('Image')),
    costOf(text, port('Any')),
    costOf(port('Any'), port('Text', { required: false })),
  ]
  expect(costs).toEqual([0, 1, 2, 4, 8, 9])
})

describe('bestPair', () => {
  const described = (name: string, type: string, more: object = {}) => ({
    ...{ name, title: name, help: '', type, list: false, required: true, ...more },
  })
  const base = SAMPLE.types.find((type) => type.id === 'number') as NodeType
  const typeOf = (id: string, inputs: object[], outputs: object[]) =>
    ({ ...base, id, title: id, category: 'ai_models', input: null, inputs, outputs }) as NodeType
  const from = typeOf('from', [], [described('image', 'Image'), described('text', 'Text')])

  /** The best pair from a node of the type "from" to one with these inputs, as texts. */
  function found(inputs: object[], edges: { from: string; to: string }[] = []): string | null {
    const types = [from, typeOf('to', inputs, [])]
    const catalog = new Catalog({ types, conversions: [], value_types: [], categories: [], broken: [] })
    const [one, other, third] = [sampleNode('a', 'from'), sampleNode('b', 'to'), sampleNode('c', 'from')]
    const pair = bestPair(sampleFlow({ nodes: [one, other, third], edges }), catalog, one, other)
    return pair && `${pair.from.node}.${pair.from.port} ${pair.to.node}.${pair.to.port}`
  }

  it('is between ports of the same type, also where an earlier input takes anything', () => {
    expect(found([described('any', 'Any'), described('words', 'Text')])).toBe('a.text b.words')
    expect(found([described('sound', 'Audio'), described('any', 'Any')])).toBe('a.image b.any')
    expect(found([described('sound', 'Audio')])).toBeNull()
    expect(found([])).toBeNull()
  })

  it('ends at a required input rather than at an optional one', () => {
    const inputs = [described('extra', 'Text', { required: false }), described('words', 'Text')]
    expect(found(inputs)).toBe('a.text b.words')
  })

  it('leaves out connected inputs, unless they are lists', () => {
    const edges = [{ from: 'c.text', to: 'b.words' }]
    expect(found([described('words', 'Text')], edges)).toBeNull()
    expect(found([described('words', 'Text', { list: true })], edges)).toBe('a.text b.words')
    expect(found([described('words', 'Text'), described('more', 'Text')], edges)).toBe('a.text b.more')
  })
})
