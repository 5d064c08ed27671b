import { beforeAll, describe, expect, it } from 'vitest'
import type { NodeType } from '@/graph/catalog'
import { addNote, groupNodes, resizeNotes, ungroup } from '@/graph/edits/annotations'
import { connect, disconnect } from '@/graph/edits/edges'
import { addNode, moveNodes, removeNodes, renameNode, setSetting } from '@/graph/edits/nodes'
import { swapType } from '@/graph/edits/swap'
import { i18n } from '@/lib/i18n'
import '@/lib/i18n/editor'
import { SAMPLE, sampleFlow } from '@/test/flow-samples'
import { choiceWords, describeEdit, describeSettings } from './describe-edit'

type Flow = ReturnType<typeof sampleFlow>

describe('description of an edit', () => {
  const before = sampleFlow()
  let said: (after: Flow, from?: Flow) => string
  beforeAll(() => {
    const t = i18n.getFixedT('en', 'keyboard')
    said = (after, from = before) => describeEdit({ before: from, after, catalog: SAMPLE }, t)
  })

  it('names an added or removed node and counts its edges', () => {
    expect(said(addNode(before, { id: 'palette', version: 1 }, { x: 0, y: 0 }).document)).toBe(
      'Palette added.',
    )
    expect(said(removeNodes(before, new Set(['paint'])))).toBe('Image generation removed.')
    expect(said(removeNodes(before, new Set(['paint', 'animate'])))).toBe('2 nodes removed.')
  })

  it('describes added and removed connections', () => {
    const edge = { from: 'write.output', to: 'paint.prompt' }
    const without = disconnect(before, edge)
    expect(said(without)).toBe('Output of Language model disconnected from Prompt of Image generation.')
    const joined = connect(
      without,
      SAMPLE,
      { node: 'write', port: 'output' },
      { node: 'paint', port: 'prompt' },
    )
    expect(said(joined, without)).toBe('Output of Language model connected to Prompt of Image generation.')
  })

  it('names the type that a node was swapped for, by a title of its own too', () => {
    const named = renameNode(before, 'write', 'Slogan')
    const type = SAMPLE.type('image_generation') as NodeType
    const swapped = swapType(named, SAMPLE, 'write', type).document
    expect(said(swapped, named)).toMatch(/^Slogan swapped for Image generation\. /)
    expect(said(named, swapped)).toMatch(/^Slogan swapped for Language model\. /)
  })

  it('gives the position of one moved node, and only the number of several', () => {
    expect(said(moveNodes(before, new Map([['ask', { x: 11, y: 22 }]])))).toBe('User prompt moved to 11, 22.')
    const all = new Map(before.nodes.map(({ id }) => [id, { x: 5, y: 5 }]))
    expect(said(moveNodes(before, all))).toBe('4 nodes moved.')
  })

  it('describes changes of notes and groups', () => {
    expect(said(addNote(before, { x: 0, y: 0 }).document)).toBe('Note added.')
    const { document, id } = groupNodes(before, ['paint', 'animate'], 'Shots')
    expect(said(document)).toBe('Shots created.')
    expect(said(ungroup(document, new Set([id])), document)).toBe('Shots ungrouped.')
  })

  it('names the added or removed group, wherever it is in the list', () => {
    const first = groupNodes(before, ['ask', 'write'], 'Words')
    const both = groupNodes(first.document, ['paint', 'animate'], 'Shots').document
    const without = ungroup(both, new Set([first.id]))
    expect(said(without, both)).toBe('Words ungrouped.')
    expect(said(both, without)).toBe('Words created.')
  })

  it('gives the new size of a note', () => {
    const { document, id } = addNote(before, { x: 0, y: 0 })
    const wider = resizeNotes(document, new Set([id]), { width: 22, height: 0 })
    expect(said(wider, document)).toBe('Note resized to 242 by 120.')
    const two = addNote(document, { x: 0, y: 0 })
    const both = resizeNotes(two.document, new Set([id, two.id]), { width: 0, height: 22 })
    expect(said(both, two.document)).toBe('2 notes resized.')
  })

  it('describes a changed setting only after undo', () => {
    const after = setSetting(before, 'ask', 'text', 'Cold brew')
    expect(said(after)).toBe('')
    const t = i18n.getFixedT('en', 'keyboard')
    expect(describeSettings({ before, after, catalog: SAMPLE }, t)).toBe('User prompt changed.')
  })
})

describe('description of a selection change', () => {
  const t = i18n.getFixedT('en', 'keyboard')
  const said = (before: string[], now: string[]) => choiceWords(before, now, (id) => id.toUpperCase(), t)

  it('names the selected or deselected card and counts the selected ones', () => {
    expect(said([], ['a'])).toBe('A selected.')
    expect(said(['a'], ['a', 'b'])).toBe('B selected. 2 selected.')
    expect(said(['a', 'b'], ['a'])).toBe('B deselected.')
    expect(said(['a'], [])).toBe('Nothing selected.')
    expect(said(['a'], ['a', 'b', 'c'])).toBe('3 selected.')
  })
})
