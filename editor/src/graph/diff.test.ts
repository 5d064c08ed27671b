import { describe, expect, it } from 'vitest'
import { sampleFlow, sampleGroup, sampleNode, sampleNote, withNode } from '@/test/flow-samples'
import { describeDiff, diff, isEmpty, nodeDifferences, summarizeEdit } from './diff'
import type { Group, Note } from './document'
import { removeNodes, setSetting } from './edits/nodes'

describe('diff', () => {
  it('reports added and removed nodes, and changes setting by setting', () => {
    const before = sampleFlow()
    const changed = setSetting(before, 'write', 'model', 'b')
    const after = { ...removeNodes(changed, new Set(['animate'])) }
    const changes = diff(before, { ...after, nodes: [...after.nodes, sampleNode('say', 'user_prompt')] })
    expect(changes.nodes.added).toEqual(['say'])
    expect(changes.nodes.removed).toEqual(['animate'])
    expect(changes.nodes.changed).toEqual([
      { id: 'write', settings: [{ path: 'model', before: undefined, after: 'b' }] },
    ])
    expect(changes.edges.removed).toEqual([{ from: 'paint.output', to: 'animate.image' }])
    expect(describeDiff(changes)).toBe('1 added, 1 removed, 1 changed')
  })

  it('reports another type and title of a node, each only where it differs', () => {
    const before = sampleFlow()
    const changes = (more: object) => diff(before, withNode(before, 'paint', more)).nodes.changed
    const type = { before: 'image_generation', after: 'palette' }
    expect(changes({ type: 'palette' })).toStrictEqual([{ id: 'paint', settings: [], type }])
    const title = { before: '', after: 'Hero' }
    expect(changes({ title: 'Hero' })).toStrictEqual([{ id: 'paint', settings: [], title }])
    expect(changes({ title: '' })).toEqual([])
  })

  it('names connections where no node differs', () => {
    const before = sampleFlow()
    const after = { ...before, edges: [...before.edges.slice(1), { from: 'ask.output', to: 'write.brand' }] }
    expect(describeDiff(diff(before, after))).toBe('1 connection added, 1 connection removed')
  })

  it('ignores the position of nodes', () => {
    const before = sampleFlow()
    const after = { ...before, nodes: before.nodes.map((node) => ({ ...node, position: { x: 9, y: 9 } })) }
    expect(isEmpty(diff(before, after))).toBe(true)
    expect(describeDiff(diff(before, after))).toBe('Nothing changed')
  })
})

describe('a node that one side lacks', () => {
  const start = sampleFlow()
  const without = removeNodes(start, new Set(['paint']))
  const found = (mine: typeof start, theirs: typeof start, before = start) =>
    nodeDifferences(before, mine, theirs).find(({ id }) => id === 'paint')
  const changed = setSetting(start, 'paint', 'n_images', 3)
  const moved = {
    ...start,
    nodes: start.nodes.map((node) => ({ ...node, position: { x: 9, y: 9 } })),
  }

  it.each([
    ['as it was', start, 'same', false, 'remover'],
    ['moved', moved, 'same', false, 'remover'],
    ['changed', changed, 'changed', true, 'holder'],
  ] as const)('and the other has %s', (_, held, change, clash, suggested) => {
    const removed = { mine: 'removed', theirs: change, clash, parts: [] }
    expect(found(without, held)).toMatchObject({
      ...removed,
      suggested: suggested === 'remover' ? 'mine' : 'theirs',
    })
    expect(found(held, without)).toMatchObject({
      ...removed,
      mine: change,
      theirs: 'removed',
      suggested: suggested === 'remover' ? 'theirs' : 'mine',
    })
  })

  it('and the other has added', () => {
    const added = { mine: 'added', theirs: 'same', clash: false, suggested: 'mine' }
    expect(found(start, without, without)).toMatchObject(added)
    expect(found(without, start, without)).toMatchObject({
      ...added,
      mine: 'same',
      theirs: 'added',
      suggested: 'theirs',
    })
  })
})

describe('the summary of an edit', () => {
  const note = (id: string, width = 200, height = 100) => sampleNote(id, { size: { width, height } })
  const group = (id: string, title: string) => sampleGroup(id, title, ['ask'])
  const flow = (notes: readonly Note[], groups: readonly Group[] = []) =>
    sampleFlow({ canvas: { notes, groups } })
  const at = (x: number, y: number) =>
    sampleFlow({ nodes: [sampleNode('ask', 'user_prompt', { position: { x, y } })], edges: [] })

  it('has nothing for the same document', () => {
    const same = flow([note('a')], [group('one', 'Shots')])
    const nothing = { moved: [], resized: [], notes: 0, grouped: null, ungrouped: null }
    expect(summarizeEdit(same, same)).toEqual({ ...diff(same, same), ...nothing })
  })

  it('has the nodes that were moved along either axis, but not those that were added', () => {
    expect(summarizeEdit(at(0, 0), at(0, 0)).moved).toEqual([])
    expect(summarizeEdit(at(0, 0), at(5, 0)).moved).toEqual([{ id: 'ask', to: { x: 5, y: 0 } }])
    expect(summarizeEdit(at(0, 0), at(0, 5)).moved).toEqual([{ id: 'ask', to: { x: 0, y: 5 } }])
    expect(summarizeEdit(sampleFlow({ nodes: [], edges: [] }), at(5, 5)).moved).toEqual([])
  })

  it('has the new sizes of notes, but not of those that were added', () => {
    const before = flow([note('a'), note('b'), note('c')])
    const after = flow([note('a'), note('b', 300), note('c', 200, 150), note('d', 9, 9)])
    expect(summarizeEdit(before, after).resized).toEqual([
      { width: 300, height: 100 },
      { width: 200, height: 150 },
    ])
  })

  it('has how many notes were added or removed', () => {
    const [one, three] = [flow([note('a')]), flow([note('a'), note('b'), note('c')])]
    expect([summarizeEdit(one, three).notes, summarizeEdit(three, one).notes]).toEqual([2, -2])
  })

  it('has the title of a group that was made or removed', () => {
    const one = flow([], [group('one', 'Shots')])
    const two = flow([], [group('one', 'Shots'), group('two', 'Words')])
    expect(summarizeEdit(one, two)).toMatchObject({ grouped: 'Words', ungrouped: null })
    expect(summarizeEdit(two, one)).toMatchObject({ grouped: null, ungrouped: 'Words' })
  })
})

it('says which side changed a node that both have', () => {
  const start = sampleFlow()
  const mine = setSetting(start, 'paint', 'n_images', 3)
  const part = { kind: 'setting', name: 'n_images', clash: false }
  expect(nodeDifferences(start, mine, start)).toMatchObject([
    {
      id: 'paint',
      mine: 'changed',
      theirs: 'same',
      clash: false,
      suggested: 'mine',
      parts: [{ ...part, mine: 3 }],
    },
  ])
  expect(nodeDifferences(start, start, mine)).toMatchObject([
    {
      id: 'paint',
      mine: 'same',
      theirs: 'changed',
      clash: false,
      suggested: 'theirs',
      parts: [{ ...part, theirs: 3 }],
    },
  ])
  expect(nodeDifferences(start, mine, setSetting(start, 'paint', 'n_images', 4))).toMatchObject([
    { id: 'paint', mine: 'changed', theirs: 'changed', clash: true, suggested: 'mine' },
  ])
  expect(nodeDifferences(start, mine, mine)).toEqual([])
})

it('compares a setting that is an object on one side alone as a whole', () => {
  const start = setSetting(sampleFlow(), 'paint', 'style', 'calm')
  const after = setSetting(start, 'paint', 'style', { tone: 'calm' })
  expect(diff(start, after).nodes.changed[0]?.settings).toEqual([
    { path: 'style', before: 'calm', after: { tone: 'calm' } },
  ])
  const deep = setSetting(start, 'paint', 'style', { tone: 'loud', size: 1 })
  expect(diff(after, deep).nodes.changed[0]?.settings).toEqual([
    { path: 'style.tone', before: 'calm', after: 'loud' },
    { path: 'style.size', before: undefined, after: 1 },
  ])
})
