import { describe, expect, it } from 'vitest'
import type { NodeType } from '@/graph/catalog'
import { SAMPLE } from '@/test/flow-samples'
import { nodeFilter, typeValue } from './node-filter'

const writer = { ...(SAMPLE.type('language_model') as NodeType), id: 'writer', keywords: ['translate'] }
const other = { ...writer, id: 'translate', title: 'Translate', keywords: [] }
const filter = nodeFilter([writer, other])

describe('the filter of a list with new nodes', () => {
  it('finds a type by a keyword, after one with that title', () => {
    const found = filter(typeValue(writer), 'translate')
    expect(found).toBeGreaterThan(0)
    expect(filter(typeValue(other), 'translate')).toBeGreaterThan(found)
  })

  it('puts what is on the canvas first, by the words of its value', () => {
    expect(filter('Translate it, Output n1', 'output trans')).toBe(1)
    expect(filter('Translate it, Output n1', 'other')).toBe(0)
  })

  it('leaves out types without the words', () => {
    expect(filter(typeValue(other), 'zzzz')).toBe(0)
  })
})
