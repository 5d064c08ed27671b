import { describe, expect, it } from 'vitest'
import { sampleFlow } from '@/test/flow-samples'
import { type FlowDocument, type Group, groupsOf, type Note, notesOf } from './document'
import { addNote, changeGroup, changeNote, groupNodes, removeNotes, ungroup } from './edits/annotations'
import { removeNodes, setSetting } from './edits/nodes'
import { merge, renameClashingIds } from './merge'
import { annotationDifferences, renameClashingAnnotations } from './merge-annotations'

const noted = addNote(sampleFlow(), { x: 0, y: 0 }, 'Begin here')
const grouped = groupNodes(noted.document, ['write', 'paint'], 'Copy')
const start = grouped.document
const [note, group] = [noted.id, grouped.id]
const [firstNote, firstGroup] = [notesOf(start)[0] as Note, groupsOf(start)[0] as Group]

const words = (document: FlowDocument) => notesOf(document).map(({ text }) => text)
const inGroup = (document: FlowDocument) => groupsOf(document).find(({ id }) => id === group)?.members

describe('notes and groups of two sides', () => {
  it('differ by what each side changed, and merge by the choice', () => {
    const mine = changeNote(start, note, { text: 'Mine' })
    const theirs = changeNote(start, note, { text: 'Theirs' })
    const [found, ...others] = annotationDifferences({ start, mine, theirs })
    expect(others).toEqual([])
    expect(found).toMatchObject({ kind: 'note', id: note, clash: true, mine: 'changed', theirs: 'changed' })
    expect(found?.parts).toMatchObject([{ kind: 'text', mine: 'Mine', theirs: 'Theirs', suggested: 'mine' }])
    expect(words(merge(start, mine, theirs))).toEqual(['Mine'])
    for (const key of [found?.key ?? '', found?.parts[0]?.key ?? '']) {
      expect(words(merge(start, mine, theirs, new Map([[key, 'theirs']])))).toEqual(['Theirs'])
    }
  })

  it('never differ by position: position and text may be merged from different sides', () => {
    const mine = changeNote(start, note, { position: { x: 9, y: 9 } })
    const theirs = changeNote(start, note, { text: 'Theirs' })
    expect(annotationDifferences({ start, mine, theirs: start })).toEqual([])
    expect(notesOf(merge(start, mine, theirs))).toMatchObject([{ text: 'Theirs', position: { x: 9, y: 9 } }])
  })

  it.each(['mine', 'theirs'] as const)(
    'are kept if %s changed and the other side removed them, unless the choice says otherwise',
    (writer) => {
      const written = changeNote(start, note, { text: 'Still wanted' })
      const thrown = removeNotes(start, new Set([note]))
      const [mine, theirs] = writer === 'mine' ? [written, thrown] : [thrown, written]
      const [found] = annotationDifferences({ start, mine, theirs })
      expect(found).toMatchObject({ clash: true, suggested: writer })
      expect(words(merge(start, mine, theirs))).toEqual(['Still wanted'])
      const other = writer === 'mine' ? 'theirs' : 'mine'
      expect(words(merge(start, mine, theirs, new Map([[found?.key ?? '', other]])))).toEqual([])
    },
  )

  it('merge a group’s title from one side and its members from the other', () => {
    const mine = changeGroup(start, group, { title: 'Words' })
    const theirs = changeGroup(start, group, { members: ['write', 'paint', 'animate'] })
    const [found] = annotationDifferences({ start, mine, theirs })
    expect(found?.parts).toMatchObject([{ name: 'title' }, { name: 'members', suggested: 'theirs' }])
    expect(groupsOf(merge(start, mine, theirs))).toMatchObject([
      { title: 'Words', members: ['write', 'paint', 'animate'] },
    ])
  })

  it('report a group that one side removed', () => {
    const theirs = ungroup(start, new Set([group]))
    const [found] = annotationDifferences({ start, mine: start, theirs })
    expect(found).toMatchObject({ kind: 'group', theirs: 'removed', suggested: 'theirs' })
    expect(inGroup(merge(start, start, theirs))).toBeUndefined()
    expect(inGroup(merge(start, start, theirs, new Map([[found?.key ?? '', 'mine']])))).toHaveLength(2)
  })

  it('do not report the members of a group that one side removed; a kept node stays in its group', () => {
    const mine = setSetting(start, 'paint', 'n_images', 2)
    const theirs = removeNodes(start, new Set(['write', 'paint']))
    expect(annotationDifferences({ start, mine, theirs })).toEqual([])
    expect(inGroup(merge(start, mine, theirs))).toEqual(['paint'])
    expect(inGroup(merge(start, start, theirs))).toBeUndefined()
  })

  it('are both kept when both sides add one with the same id', () => {
    const mine = addNote(start, { x: 0, y: 0 }, 'Mine').document
    const theirs = addNote(start, { x: 0, y: 0 }, 'Theirs').document
    const joined = merge(start, renameClashingIds(start, mine, theirs), theirs)
    expect(words(joined).sort()).toEqual(['Begin here', 'Mine', 'Theirs'])
    expect(new Set(notesOf(joined).map(({ id }) => id)).size).toBe(3)
  })

  it('keep their ids where no other has them, with the document as it was', () => {
    const mine = addNote(start, { x: 0, y: 0 }, 'Mine').document
    expect(renameClashingAnnotations(start, mine, start)).toBe(mine)
    expect(renameClashingAnnotations(start, mine, mine)).toBe(mine)
    const bare = sampleFlow()
    expect(renameClashingAnnotations(start, bare, mine)).toBe(bare)
    const [note, ...others] = notesOf(addNote(start, { x: 0, y: 0 }, 'Theirs').document).toReversed()
    const theirs = { ...start, canvas: { ...start.canvas, notes: [...others.toReversed(), note as Note] } }
    const renamed = renameClashingAnnotations(start, mine, theirs)
    expect(groupsOf(renamed)).toEqual(groupsOf(mine))
    expect(words(renamed)).toEqual(words(mine))
    expect(notesOf(renamed).at(-1)?.id).not.toBe(note?.id)
  })

  it('get an id that neither side uses, also when several clash', () => {
    const adding = (text: string, ids: string[]): FlowDocument => ({
      ...start,
      canvas: {
        notes: [...notesOf(start), ...ids.map((id) => ({ ...firstNote, id, text }))],
        groups: [...groupsOf(start), ...ids.map((id) => ({ ...firstGroup, id, title: text }))],
      },
    })
    const theirs = adding('Theirs', ['new', 'new_2'])
    const mine = renameClashingIds(start, adding('Mine', ['new', 'new_2', 'new_3']), theirs)
    const own = (list: readonly { id: string }[]) => list.slice(1).map(({ id }) => id)
    expect(own(notesOf(mine))).toEqual(['new_4', 'new_5', 'new_3'])
    expect(own(groupsOf(mine))).toEqual(['new_4', 'new_5', 'new_3'])
    const joined = merge(start, mine, theirs)
    expect(own(notesOf(joined)).sort()).toEqual(['new', 'new_2', 'new_3', 'new_4', 'new_5'])
    expect(own(groupsOf(joined)).sort()).toEqual(['new', 'new_2', 'new_3', 'new_4', 'new_5'])
  })
})
