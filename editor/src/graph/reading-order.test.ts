import { describe, expect, it } from 'vitest'
import { sampleFlow, sampleGroup, sampleNode, sampleNote } from '@/test/flow-samples'
import { neighbourOf, readingOrder } from './reading-order'

describe('the reading order', () => {
  it('goes down a column, then to the next, regardless of the order of the nodes', () => {
    const nodes = [
      sampleNode('last', 'palette', { position: { x: 640, y: 0 } }),
      sampleNode('below', 'palette', { position: { x: 12, y: 300 } }),
      sampleNode('above', 'palette', { position: { x: 0, y: 0 } }),
    ]
    expect(readingOrder(sampleFlow({ nodes, edges: [] }))).toEqual(['above', 'below', 'last'])
  })

  it('counts nodes as one column up to 160 pixels of difference, and as two beyond', () => {
    const at = (id: string, x: number, y: number) => sampleNode(id, 'palette', { position: { x, y } })
    const order = (x: number) =>
      readingOrder(sampleFlow({ nodes: [at('low', 80, 9), at('high', x, 0)], edges: [] }))
    expect(order(239)).toEqual(['high', 'low'])
    expect(order(240)).toEqual(['low', 'high'])
  })

  it('puts a group before its members, and a note by its position', () => {
    const canvas = {
      groups: [sampleGroup('group', 'Shots', ['paint', 'animate'])],
      notes: [sampleNote('note', { position: { x: 310, y: 200 } })],
    }
    expect(readingOrder(sampleFlow({ canvas }))).toEqual([
      'ask',
      'write',
      'note',
      'group',
      'paint',
      'animate',
    ])
  })
})

it('of items at one place is a group, then a node, then a note', () => {
  const nodes = [sampleNode('node', 'palette')]
  const canvas = { groups: [sampleGroup('group', 'Shots', ['node'])], notes: [sampleNote('note')] }
  expect(readingOrder(sampleFlow({ nodes, edges: [], canvas }))).toEqual(['group', 'node', 'note'])
})

describe('the neighbour of removed items', () => {
  const order = ['a', 'b', 'c', 'd']

  it('is the next one, else the previous one', () => {
    expect(neighbourOf(order, new Set(['b']))).toBe('c')
    expect(neighbourOf(order, new Set(['b', 'c']))).toBe('d')
    expect(neighbourOf(order, new Set(['c', 'd']))).toBe('b')
    expect(neighbourOf(order, new Set(['b', 'c', 'd']))).toBe('a')
    expect(neighbourOf(order, new Set(order))).toBeNull()
  })
})
