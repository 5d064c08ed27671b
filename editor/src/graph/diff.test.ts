import { describe, expect, it } from 'vitest'
import { sampleFlow, sampleNode } from '@/test/flow-samples'
import { diff, isEmpty, summarise } from './diff'
import { removeNodes } from './edits/nodes'
import { setSetting } from './edits/settings'
import { differences, merge } from './merge'

describe('diff', () => {
  it('tells added, removed and changed, setting by setting', () => {
    const before = sampleFlow()
    const changed = setSetting(before, 'write', 'model', 'b')
    const after = { ...removeNodes(changed, new Set(['film'])) }
    const told = diff(before, { ...after, nodes: [...after.nodes, sampleNode('say', 'user_prompt')] })
    expect(told.nodes.added).toEqual(['say'])
    expect(told.nodes.removed).toEqual(['film'])
    expect(told.nodes.changed).toEqual([
      { id: 'write', settings: [{ path: 'model', before: undefined, after: 'b' }] },
    ])
    expect(told.edges.removed).toEqual([{ from: 'paint.output', to: 'film.image' }])
    expect(summarise(told)).toBe('1 added, 1 removed, 1 changed')
  })

  it('does not tell that a card was moved', () => {
    const before = sampleFlow()
    const after = { ...before, nodes: before.nodes.map((node) => ({ ...node, position: { x: 9, y: 9 } })) }
    expect(isEmpty(diff(before, after))).toBe(true)
    expect(summarise(diff(before, after))).toBe('Nothing changed')
  })
})

describe('merge', () => {
  const start = sampleFlow()
  const mine = setSetting(start, 'write', 'model', 'mine')
  const theirs = setSetting(start, 'paint', 'n_images', 4)

  it('takes each change from the side that made it', () => {
    const joined = merge(start, mine, theirs)
    expect(joined.nodes.find((node) => node.id === 'write')?.settings).toEqual({ model: 'mine' })
    expect(joined.nodes.find((node) => node.id === 'paint')?.settings).toEqual({ n_images: 4 })
    expect(joined.edges).toEqual(start.edges)
  })

  it('asks where both changed the same node', () => {
    const other = setSetting(start, 'write', 'model', 'theirs')
    expect(differences(start, mine, other)).toMatchObject([{ key: 'write', clash: true, suggested: 'mine' }])
    const joined = merge(start, mine, other, new Map([['write', 'theirs']]))
    expect(joined.nodes[1]?.settings).toEqual({ model: 'theirs' })
  })

  it('never leaves a dangling edge when one side removed what the other connected', () => {
    const removed = removeNodes(start, new Set(['film']))
    const joined = merge(start, mine, removed)
    expect(joined.nodes.map((node) => node.id)).toEqual(['ask', 'write', 'paint'])
    expect(joined.edges).toHaveLength(2)
  })

  it('keeps what only one side renamed or noted', () => {
    const renamed = { ...start, name: 'Mine', canvas: { notes: [] } }
    expect(merge(start, renamed, theirs)).toMatchObject({ name: 'Mine', canvas: { notes: [] } })
  })
})
