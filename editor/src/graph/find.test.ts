import { expect, it } from 'vitest'
import { SAMPLE, sampleFlow, sampleNode, sampleNote } from '@/test/flow-samples'
import { findOnCanvas } from './find'

const flow = sampleFlow({
  nodes: [
    sampleNode('ask', 'user_prompt', { settings: { text: 'A bottle of night serum' } }),
    sampleNode('paint', 'image_generation', { title: 'Serum hero' }),
    sampleNode('write', 'language_model'),
  ],
  canvas: {
    notes: [sampleNote('note', { text: 'Ask legal\nabout the serum' })],
  },
})
const ids = (query: string) => findOnCanvas(flow, SAMPLE, query).map(({ id }) => id)

it('finds nodes and notes by title first, then by type, id and text', () => {
  expect(ids('serum')).toEqual(['paint', 'ask', 'note'])
  expect(ids('IMAGE gen')).toEqual(['paint'])
  expect(ids('legal serum')).toEqual(['note'])
  expect(ids('write')).toEqual(['write'])
  expect(ids('zebra')).toEqual([])
})

it('shows the text that contains the words', () => {
  expect(findOnCanvas(flow, SAMPLE, 'night')[0]?.text).toBe('…ttle of night serum')
})

it('shows all without words, and never more than 100', () => {
  expect(ids('')).toHaveLength(4)
  const nodes = Array.from({ length: 300 }, (_, at) => sampleNode(`n${at}`, 'number'))
  expect(findOnCanvas(sampleFlow({ nodes, edges: [] }), SAMPLE, 'number')).toHaveLength(100)
})

it('finds notes by their first line before others, and shows no text of theirs', () => {
  const notes = ['Legal: serum', 'About\nserum'].map((text, at) => sampleNote(`n${at}`, { text }))
  const found = findOnCanvas(
    sampleFlow({ nodes: [], edges: [], canvas: { notes: notes.toReversed() } }),
    SAMPLE,
    'serum',
  )
  expect(found).toEqual([
    { id: 'n0', title: 'Legal: serum', text: '', type: null },
    { id: 'n1', title: 'About', text: '', type: null },
  ])
})

it('shows the type of a node with a title of its own, and of one whose type is not installed', () => {
  const nodes = [
    sampleNode('a', 'number', { title: 'Hero' }),
    sampleNode('b', 'lost', { title: 'Hero' }),
    sampleNode('c', 'lost'),
  ]
  const found = findOnCanvas(sampleFlow({ nodes, edges: [] }), SAMPLE, '')
  expect(found.map(({ title, text }) => [title, text])).toEqual([
    ['Hero', 'Number'],
    ['Hero', 'lost'],
    ['lost', ''],
  ])
})

it.each([
  ['hero', 'hero of the night', 'hero of the night'],
  ['hero', 'A hero', 'A hero'],
  ['hero', '12345678hero', '12345678hero'],
  ['hero', '123456789hero', '…23456789hero'],
  ['hero', `hero ${'x'.repeat(50)}`, `hero ${'x'.repeat(35)}`],
  ['7', 7, '7'],
])('a search for %j shows the setting %j as %j', (query, setting, text) => {
  const nodes = [sampleNode('a', 'number', { settings: { first: true, second: setting } })]
  expect(findOnCanvas(sampleFlow({ nodes, edges: [] }), SAMPLE, query)[0]?.text).toBe(text)
})

it('shows no text where the title has the words, and the first line of a note in short', () => {
  const nodes = [sampleNode('a', 'number', { settings: { text: 'A number' } })]
  const notes = [sampleNote('n', { text: `${'y'.repeat(50)}\nmore` })]
  const noted = sampleFlow({ nodes, edges: [], canvas: { notes } })
  expect(findOnCanvas(noted, SAMPLE, 'number')[0]?.text).toBe('')
  expect(findOnCanvas(noted, SAMPLE, 'more').map(({ title }) => title)).toEqual(['y'.repeat(40)])
})
