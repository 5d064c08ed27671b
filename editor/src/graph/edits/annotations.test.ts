import { describe, expect, it } from 'vitest'
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

const first = addNote(sampleFlow(), { x: 3.4, y: 3.6 }, 'Look')
const { document: noted } = addNote(first.document, { x: 5, y: 6 })
const [note, other] = notesOf(noted)
const sizes = (flow: typeof noted) => notesOf(flow).map(({ size }) => size)
const members = (flow: typeof noted) => groupsOf(flow).map((group) => group.members)

it('notes have ids of their own, stand at whole pixels, and stay in their order', () => {
  expect([note?.position, other?.position]).toEqual([
    { x: 3, y: 4 },
    { x: 5, y: 6 },
  ])
  expect([first.id, note?.id, other?.id]).toEqual(['note', 'note', 'note_2'])
  expect([note?.text, other?.text]).toEqual(['Look', ''])
})

it('changes and removes notes, and keeps the others', () => {
  const changed = changeNote(noted, first.id, { text: 'Hi' })
  expect(notesOf(changed)).toEqual([{ ...note, text: 'Hi' }, other])
  expect(removeNotes(changed, new Set([first.id])).canvas?.notes).toEqual([other])
  expect(removeNotes(noted, new Set(['note', 'note_2'])).canvas?.notes).toEqual([])
  expect(removeNotes(noted, new Set(['missing']))).toBe(noted)
})

describe('the size of a note', () => {
  const only = new Set([first.id])

  it.each([[{ width: 20, height: 0 }], [{ width: 0, height: 20 }], [{ width: -20, height: 22 }]])(
    'changes by %j, for the given notes only',
    (by) => {
      const resized = resizeNotes(noted, only, by)
      expect(sizes(resized)).toEqual([
        { width: 220 + by.width, height: 120 + by.height },
        { width: 220, height: 120 },
      ])
      expect(notesOf(resized)[1]).toBe(other)
    },
  )

  it('has a minimum, where resizing adds no undo step', () => {
    const least = resizeNotes(noted, only, { width: -999, height: -999 })
    expect(sizes(least)[0]).toEqual({ width: 140, height: 72 })
    expect(resizeNotes(least, only, { width: -22, height: 0 })).toBe(least)
  })

  it('stays the same document where no note has another size', () => {
    expect(resizeNotes(noted, only, { width: 0, height: 0 })).toBe(noted)
    expect(resizeNotes(noted, new Set(['missing']), { width: 9, height: 9 })).toBe(noted)
  })
})

const one = groupNodes(sampleFlow(), ['ask', 'write'], 'Words')
const two = groupNodes(one.document, ['paint'])

it('takes nodes from the groups that they are in, each node once', () => {
  expect(groupsOf(two.document).map(({ id, title }) => [id, title])).toEqual([
    [one.id, 'Words'],
    [two.id, 'Group'],
  ])
  expect(members(groupNodes(two.document, ['write', 'paint', 'write']).document)).toEqual([
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
