import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyEdit } from '@/test/flow-edits'
import { sampleFlow, sampleGroup, sampleNode, withNode } from '@/test/flow-samples'
import { nodeDifferences, partKey } from './diff'
import { edgeId, type FlowDocument, groupsOf, parseEnd, sameContent } from './document'
import { addNote } from './edits/annotations'
import { disconnect } from './edits/edges'
import { addNode, moveNodes, removeNodes, renameNode, setSetting } from './edits/nodes'
import { merge, renameClashingIds } from './merge'

const start = sampleFlow()
const settings = (document: FlowDocument, id: string) => document.nodes.find((one) => one.id === id)?.settings

describe('merge', () => {
  const mine = setSetting(start, 'write', 'model', 'mine')
  const theirs = setSetting(start, 'paint', 'n_images', 4)

  it('takes each change from the side that made it', () => {
    const joined = merge(start, mine, theirs)
    expect(settings(joined, 'write')).toEqual({ model: 'mine' })
    expect(settings(joined, 'paint')).toEqual({ n_images: 4 })
    expect(joined.edges).toEqual(start.edges)
  })

  it('merges the changes of both sides to one node, setting by setting', () => {
    const other = renameNode(setSetting(start, 'write', 'system_prompt', 'Be brief'), 'write', 'Copy')
    expect(nodeDifferences(start, mine, other)).toMatchObject([{ id: 'write', clash: false }])
    const joined = merge(start, mine, other)
    expect(joined.nodes[1]).toMatchObject({
      title: 'Copy',
      settings: { model: 'mine', system_prompt: 'Be brief' },
    })
  })

  it('reports a clash where both changed the same setting, and takes the chosen side for that setting only', () => {
    const clashing = setSetting(setSetting(start, 'write', 'model', 'theirs'), 'write', 'system_prompt', 'B')
    const both = setSetting(mine, 'write', 'system_prompt', 'A')
    const [difference] = nodeDifferences(start, both, clashing)
    expect(difference?.parts).toMatchObject([
      { name: 'model', clash: true, suggested: 'mine', mine: 'mine', theirs: 'theirs' },
      { name: 'system_prompt', clash: true, suggested: 'mine' },
    ])
    const chosen = new Map([[difference?.parts[1]?.key ?? '', 'theirs' as const]])
    expect(settings(merge(start, both, clashing, chosen), 'write')).toEqual({
      model: 'mine',
      system_prompt: 'B',
    })
    expect(settings(merge(start, both, clashing, new Map([['write', 'theirs']])), 'write')).toEqual({
      model: 'theirs',
      system_prompt: 'B',
    })
  })

  it.each([
    ['mine', 'theirs'],
    ['theirs', 'mine'],
  ] as const)(
    'keeps a node that %s edited and %s removed, with its edges, unless the choice says otherwise',
    (one, other) => {
      const edited = setSetting(start, 'paint', 'n_images', 2)
      const removed = removeNodes(start, new Set(['paint']))
      const [left, right] = one === 'mine' ? [edited, removed] : [removed, edited]
      expect(nodeDifferences(start, left, right)).toMatchObject([
        { id: 'paint', clash: true, suggested: one },
      ])
      const joined = merge(start, left, right)
      expect(settings(joined, 'paint')).toEqual({ n_images: 2 })
      expect(new Set(joined.edges.map(edgeId))).toEqual(new Set(start.edges.map(edgeId)))
      const gone = merge(start, left, right, new Map([['paint', other]]))
      expect(gone.nodes.map(({ id }) => id)).not.toContain('paint')
    },
  )

  it('removes a node that one side removed and the other did not change, with its edges', () => {
    const removed = removeNodes(start, new Set(['animate']))
    const joined = merge(start, mine, removed)
    expect(joined.nodes.map((node) => node.id)).toEqual(['ask', 'write', 'paint'])
    expect(joined.edges).toHaveLength(2)
  })

  it('removes an edge that only one side removed', () => {
    const [edge] = start.edges
    const joined = merge(start, mine, disconnect(start, edge as NonNullable<typeof edge>))
    expect(joined.edges).toEqual(start.edges.slice(1))
  })

  it('keeps both of two new nodes with the same id', () => {
    const type = { id: 'user_prompt', version: 1 }
    const [one, other] = [1, 2].map((x) => addNode(start, type, { x, y: 0 })) as [
      ReturnType<typeof addNode>,
      ReturnType<typeof addNode>,
    ]
    expect(one.id).toBe(other.id)
    const left = setSetting(one.document, one.id, 'text', 'Mine')
    const right = setSetting(other.document, other.id, 'text', 'Theirs')
    const joined = merge(start, renameClashingIds(start, left, right), right)
    expect(joined.nodes.slice(start.nodes.length).map((node) => node.settings)).toEqual([
      { text: 'Theirs' },
      { text: 'Mine' },
    ])
  })

  it('gives each of several clashing nodes an id that neither side uses', () => {
    const ids = ['new', 'new_2', 'new_3']
    const adding = (text: string, more: string[]) => ({
      ...start,
      nodes: [
        ...start.nodes,
        ...more.map((id) => sampleNode(id, 'user_prompt', { settings: { text: `${text} ${id}` } })),
      ],
      edges: [...start.edges, { from: 'new_2.output', to: 'write.brand' }],
    })
    const mine = renameClashingIds(start, adding('mine', ids), adding('theirs', ids.slice(0, 2)))
    expect(mine.nodes.slice(start.nodes.length).map(({ id }) => id)).toEqual(['new_4', 'new_5', 'new_3'])
    expect(mine.edges.at(-1)).toEqual({ from: 'new_5.output', to: 'write.brand' })
    const joined = merge(start, mine, adding('theirs', ids.slice(0, 2)))
    expect(joined.nodes.slice(start.nodes.length).map((node) => [node.id, node.settings.text])).toEqual([
      ['new', 'theirs new'],
      ['new_2', 'theirs new_2'],
      ['new_4', 'mine new'],
      ['new_5', 'mine new_2'],
      ['new_3', 'mine new_3'],
    ])
  })

  it('keeps the notes of both sides, and a name that only one side changed', () => {
    const left = { ...addNote(start, { x: 0, y: 0 }, 'Mine').document, name: 'Mine' }
    const right = addNote(start, { x: 0, y: 0 }, 'Theirs').document
    const joined = merge(start, renameClashingIds(start, left, right), right)
    expect(joined.name).toBe('Mine')
    expect(joined.canvas?.notes?.map(({ text }) => text)).toEqual(['Theirs', 'Mine'])
  })

  it('reports no difference in position', () => {
    const moved = moveNodes(start, new Map([['ask', { x: 5, y: 5 }]]))
    expect(nodeDifferences(start, moved, theirs).map(({ id }) => id)).toEqual(['paint'])
    expect(merge(start, moved, theirs).nodes[0]?.position).toEqual({ x: 5, y: 5 })
  })
})

describe('any two sides', () => {
  const sequence = fc.array(anyEdit, { maxLength: 12 })
  const edited = (edits: readonly ((document: FlowDocument) => FlowDocument)[]) =>
    edits.reduce((document, edit) => edit(document), start)

  it('yield the changed document when the other side is unchanged', () => {
    fc.assert(
      fc.property(sequence, (edits) => {
        const changed = edited(edits)
        expect(ordered(merge(start, changed, start))).toEqual(ordered(changed))
        expect(ordered(merge(start, start, changed))).toEqual(ordered(changed))
        expect(sameContent(merge(start, changed, changed), { ...changed, ...furnitureOf(changed) })).toBe(
          true,
        )
      }),
    )
  })

  it('merge without dangling edges, duplicate ids or group members that do not exist', () => {
    fc.assert(
      fc.property(sequence, sequence, (one, other) => {
        const theirs = edited(other)
        const joined = merge(start, renameClashingIds(start, edited(one), theirs), theirs)
        const ids = joined.nodes.map((node) => node.id)
        expect(new Set(ids).size).toBe(ids.length)
        for (const edge of joined.edges) {
          expect(ids).toContain(parseEnd(edge.from).node)
          expect(ids).toContain(parseEnd(edge.to).node)
        }
        expect(
          groupsOf(joined)
            .flatMap(({ members }) => members)
            .every((id) => ids.includes(id)),
        ).toBe(true)
      }),
    )
  })
})

function furnitureOf(document: FlowDocument) {
  return document.canvas && { canvas: { notes: [], groups: [], ...document.canvas } }
}

function ordered({ nodes, edges, canvas }: FlowDocument) {
  const byText = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one)).sort()
  return {
    nodes: byText(nodes.map(({ settings: own, ...node }) => ({ ...sorted(node), settings: sorted(own) }))),
    edges: byText(edges),
    groups: byText(canvas?.groups ?? []),
  }
}

function sorted(record: object) {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))
}

it('renames clashing nodes in groups too, and adds no annotations', () => {
  const [mine, theirs] = [
    addNode(start, { id: 'palette', version: 1 }, { x: 0, y: 0 }, { size: 1 }).document,
    addNode(start, { id: 'palette', version: 1 }, { x: 9, y: 9 }, { size: 2 }).document,
  ]
  const plain = renameClashingIds(start, mine, theirs)
  expect(plain.nodes.at(-1)?.id).toBe('palette_2')
  expect(plain).not.toHaveProperty('canvas')
  const group = sampleGroup('group', 'Group', ['palette', 'ask'])
  const grouped = renameClashingIds(start, { ...mine, canvas: { groups: [group] } }, theirs)
  expect(groupsOf(grouped)).toEqual([{ ...group, members: ['palette_2', 'ask'] }])
})

describe('a choice', () => {
  it('of a type is one of its version, too', () => {
    const mine = withNode(start, 'paint', { type: 'palette', version: 5 })
    const theirs = withNode(start, 'paint', { type: 'number', version: 7 })
    const chosen = (choices: [string, 'mine' | 'theirs'][]) =>
      merge(start, mine, theirs, new Map(choices)).nodes.find(({ id }) => id === 'paint')
    expect(chosen([[partKey('paint', 'type'), 'theirs']])).toMatchObject({ type: 'number', version: 7 })
    expect(chosen([])).toMatchObject({ type: 'palette', version: 5 })
    expect(chosen([['paint', 'theirs']])).toMatchObject({ type: 'number', version: 7 })
  })

  const more = {
    ...start,
    nodes: [...start.nodes, sampleNode('one', 'user_prompt'), sampleNode('two', 'user_prompt')],
  }
  const fed = (from: string) => ({
    ...more,
    edges: more.edges.map((edge) => (edge.to === 'write.prompt' ? { ...edge, from } : edge)),
  })
  const key = partKey('write', '>write.prompt')

  it.each<[string, [string, 'mine' | 'theirs'][], string]>([
    ['nothing', [], 'one.output'],
    ['the input', [[key, 'theirs']], 'two.output'],
    ['the node', [['write', 'theirs']], 'two.output'],
    [
      'the input of a node',
      [
        ['write', 'theirs'],
        [key, 'mine'],
      ],
      'one.output',
    ],
    ['another node', [['paint', 'theirs']], 'one.output'],
  ])('of %s decides between two edges into an input', (_, choices, from) => {
    const joined = merge(more, fed('one.output'), fed('two.output'), new Map(choices))
    expect(joined.edges.filter(({ to }) => to === 'write.prompt')).toEqual([{ from, to: 'write.prompt' }])
  })

  it('of an input without an edge leaves it without one', () => {
    const bare = { ...more, edges: more.edges.filter(({ to }) => to !== 'write.prompt') }
    const edgesInto = (choices: [string, 'mine' | 'theirs'][]) =>
      merge(more, bare, fed('two.output'), new Map(choices)).edges.filter(({ to }) => to === 'write.prompt')
    expect(edgesInto([[key, 'mine']])).toEqual([])
    expect(edgesInto([[key, 'theirs']])).toEqual([{ from: 'two.output', to: 'write.prompt' }])
  })
})
