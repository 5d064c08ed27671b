import { describe, expect, it } from 'vitest'
import { sampleFlow, sampleGroup, sampleNode, sampleNote, withNode } from '@/test/flow-samples'
import {
  edgeId,
  type FlowDocument,
  feedingNodes,
  findNode,
  formatEnd,
  freshId,
  groupsOf,
  notesOf,
  parseEnd,
  sameContent,
  variablesOf,
  withFormat,
} from './document'

it.each([
  ['ask.output', { node: 'ask', port: 'output' }],
  ['teaser.speak.output', { node: 'teaser', port: 'speak.output' }],
  ['ask', { node: 'ask', port: '' }],
  ['.output', { node: '', port: 'output' }],
  ['a.b', { node: 'a', port: 'b' }],
])('the end %s is a port of a node', (text, end) => {
  expect(parseEnd(text)).toEqual(end)
})

it('an end and an edge are written as text', () => {
  expect(formatEnd({ node: 'ask', port: 'output' })).toBe('ask.output')
  expect(edgeId({ from: 'ask.output', to: 'write.prompt' })).toBe('ask.output>write.prompt')
})

it.each([
  ['write', [], 'write'],
  ['write', ['write'], 'write_2'],
  ['write', ['write', 'write_2'], 'write_3'],
  ['write', ['write', 'write_3'], 'write_2'],
  ['write_2', ['write_2'], 'write_3'],
  ['write_2', ['write', 'write_2'], 'write_3'],
  ['write_7', ['write_7'], 'write_2'],
  ['Ad copy (new)', [], 'Ad_copy_new'],
  ['__', [], 'node'],
  ['é', ['node'], 'node_2'],
  ['2024', ['2024'], '2024_2'],
])('the free id of %s beside %j is %s', (stem, taken, id) => {
  expect(freshId(stem, new Set(taken))).toBe(id)
})

describe('the format of a document', () => {
  const variable = { name: 'tone', type: 'Text', value: 'calm' } as never
  const used = { nodes: [sampleNode('ask', 'user_prompt', { variables: { text: 'tone' } })], edges: [] }

  it.each<[string, Partial<FlowDocument>, number]>([
    ['without variables', { format: 2 }, 1],
    ['without variables in the first format', { format: 1 }, 1],
    ['of an older format', { format: 0 }, 0],
    ['with an empty list of variables', { format: 2, variables: [] }, 1],
    ['with one variable', { format: 1, variables: [variable] }, 2],
    ['with a setting that a variable sets', { format: 1, ...used }, 2],
  ])('%s is the oldest that has all of it', (_, more, format) => {
    expect(withFormat(sampleFlow(more)).format).toBe(format)
  })

  it('is changed only where it is another one', () => {
    const plain = sampleFlow()
    expect(withFormat(plain)).toBe(plain)
    expect(withFormat({ ...plain, format: 2 })).toEqual(plain)
  })
})

it('a document has its notes and groups; without variables, notes and groups it has empty lists', () => {
  const plain = sampleFlow()
  expect([variablesOf(plain), notesOf(plain), groupsOf(plain)]).toEqual([[], [], []])
  const [note, group] = [sampleNote('note'), sampleGroup('group', 'Group', ['ask'])]
  const noted = sampleFlow({ canvas: { notes: [note], groups: [group] } })
  expect([notesOf(noted), groupsOf(noted)]).toEqual([[note], [group]])
})

it('a node is found by its id', () => {
  expect(findNode(sampleFlow(), 'write')?.type).toBe('language_model')
  expect(findNode(sampleFlow(), 'missing')).toBeUndefined()
})

it('a node feeds others by its edges, but not by those to disabled nodes', () => {
  expect(feedingNodes(sampleFlow())).toEqual(new Set(['ask', 'write', 'paint']))
  const disabled = withNode(sampleFlow(), 'paint', { mode: 'disabled' })
  expect(feedingNodes(disabled)).toEqual(new Set(['ask', 'paint']))
})

describe('two documents', () => {
  const settings = (value: object) =>
    sampleFlow({ nodes: [sampleNode('ask', 'user_prompt', { settings: { ...value } })], edges: [] })

  it.each([
    [{ a: 1, b: { c: 2, d: null } }, { b: { d: null, c: 2 }, a: 1 }, true],
    [{ list: [1, 2] }, { list: [1, 2] }, true],
    [{ list: [1, 2] }, { list: [2, 1] }, false],
    [{ a: 1 }, { a: '1' }, false],
    [{ a: null }, { a: {} }, false],
    [{ a: [] }, { a: {} }, false],
    [{ a: 1 }, { b: 1 }, false],
  ])('with the settings %j and %j are equal: %s', (one, other, equal) => {
    expect(sameContent(settings(one), settings(other))).toBe(equal)
  })

  it('are equal if they are the same one', () => {
    const flow = sampleFlow()
    expect(sameContent(flow, flow)).toBe(true)
  })
})
