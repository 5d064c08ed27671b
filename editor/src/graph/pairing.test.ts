import { describe, expect, it } from 'vitest'
import { sampleFlow, sampleNode, samplePort, sampleType } from '@/test/flow-samples'
import { Catalog, type PortType } from './catalog'
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
  const input = (name: string, type: string, more: Partial<PortType> = {}) =>
    samplePort(name, type, { required: true, ...more })
  const from = sampleType('from', { outputs: [samplePort('image', 'Image'), samplePort('text', 'Text')] })

  /** The best pair from a node of the type "from" to one with these inputs, as texts. */
  function found(inputs: PortType[], edges: { from: string; to: string }[] = []): string | null {
    const types = [from, sampleType('to', { inputs })]
    const catalog = new Catalog({ types, conversions: [], value_types: [], categories: [], broken: [] })
    const [one, other, third] = [sampleNode('a', 'from'), sampleNode('b', 'to'), sampleNode('c', 'from')]
    const pair = bestPair(sampleFlow({ nodes: [one, other, third], edges }), catalog, one, other)
    return pair && `${pair.from.node}.${pair.from.port} ${pair.to.node}.${pair.to.port}`
  }

  it('is between ports of the same type, also where an earlier input takes anything', () => {
    expect(found([input('any', 'Any'), input('words', 'Text')])).toBe('a.text b.words')
    expect(found([input('sound', 'Audio'), input('any', 'Any')])).toBe('a.image b.any')
    expect(found([input('sound', 'Audio')])).toBeNull()
    expect(found([])).toBeNull()
  })

  it('ends at a required input rather than at an optional one', () => {
    const inputs = [input('extra', 'Text', { required: false }), input('words', 'Text')]
    expect(found(inputs)).toBe('a.text b.words')
  })

  it('leaves out connected inputs, unless they are lists', () => {
    const edges = [{ from: 'c.text', to: 'b.words' }]
    expect(found([input('words', 'Text')], edges)).toBeNull()
    expect(found([input('words', 'Text', { list: true })], edges)).toBe('a.text b.words')
    expect(found([input('words', 'Text'), input('more', 'Text')], edges)).toBe('a.text b.more')
  })
})
