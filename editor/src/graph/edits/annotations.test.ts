import { expect, it } from 'vitest'
import { sampleFlow } from '@/test/flow-samples'
import { groupsOf, notesOf } from '../document'
import {
  addNote,
  changeGroup,
  changeNote,
  groupNodes,
  removeFromGroups,
  removeNotes,
  resizeNotes,
  ungroup,
} from './annotations'

const first = addNote(sampleFlow(), { x: 3, y: 4 })
const { document: noted } = addNote(first.document, { x: 5, y: 6 })
const [note, other] = notesOf(noted)
const sizes = (flow: typeof noted) => notesOf(flow).map(({ size }) => size)
const members = (flow: typeof noted) => groupsOf(flow).map((group) => group.members)

it('notes have ids of their own, and stay in their order', () => {
  expect([note?.position, other?.position]).toEqual([
    { x: 3, y: 4 },
    { x: 5, y: 6 },
  ])
  expect(new Set([first.id, note?.id, other?.id]).size).toBe(2)
})

it('changes one note, and keeps the others', () => {
  const changed = changeNote(noted, first.id, { text: 'Hi' })
  expect(notesOf(changed)).toEqual([{ ...note, text: 'Hi' }, other])
  expect(removeNotes(changed, new Set([first.id])).canvas?.notes).toEqual([other])
  expect(removeNotes(noted, new Set(['missing']))).toBe(noted)
})

it.each([[{ width: 20, height: 0 }], [{ width: 0, height: 20 }], [{ width: 20, height: 30 }]])(
  'changes the size of the chosen notes alone by %j',
  (by) => {
    const [before] = sizes(noted)
    if (!before) throw new Error('there is a note')
    expect(sizes(resizeNotes(noted, new Set([first.id]), by))).toEqual([
      { width: before.width + by.width, height: before.height + by.height },
      before,
    ])
    const kept = notesOf(resizeNotes(noted, new Set([first.id]), by))[1]
    expect(kept).toBe(other)
  },
)

it('is the same document where no note has another size', () => {
  expect(resizeNotes(noted, new Set([first.id]), { width: 0, height: 0 })).toBe(noted)
  expect(resizeNotes(noted, new Set(['missing']), { width: 9, height: 9 })).toBe(noted)
})

const one = groupNodes(sampleFlow(), ['ask', 'write'], 'Words')
const two = groupNodes(one.document, ['paint'])

it('takes nodes from the groups that they are in', () => {
  expect(groupsOf(two.document).map(({ id, title }) => [id, title])).toEqual([
    [one.id, 'Words'],
    [two.id, 'Group'],
  ])
  expect(members(groupNodes(two.document, ['write', 'paint']).document)).toEqual([
    ['ask'],
    ['write', 'paint'],
  ])
})

it.each([
  [['write'], [['ask'], ['paint']]],
  [['paint'], [['ask', 'write']]],
  [['ask', 'write', 'paint'], []],
])('removes %j from groups, and a group without nodes', (ids, left) => {
  expect(members(removeFromGroups(two.document, new Set(ids)))).toEqual(left)
})

it('is the same document where no node is in a group', () => {
  expect(removeFromGroups(two.document, new Set(['animate']))).toBe(two.document)
  expect(ungroup(two.document, new Set(['missing']))).toBe(two.document)
  expect(members(ungroup(two.document, new Set([two.id])))).toEqual([['ask', 'write']])
})

it('changes one group', () => {
  const changed = changeGroup(two.document, two.id, { title: 'Images' })
  expect(groupsOf(changed).map(({ title }) => title)).toEqual(['Words', 'Images'])
})
