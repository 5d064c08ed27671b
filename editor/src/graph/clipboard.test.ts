import { expect, it } from 'vitest'
import { sampleFlow } from '@/test/flow-samples'
import { fragmentFromText, fragmentToText } from './clipboard'
import { extractFragment } from './edits/paste'

const fragment = extractFragment(sampleFlow(), new Set(['ask', 'write']))
const variable = { name: 'tone', type: 'Text', value: 'calm' } as const

it('copied nodes are readable text that names its kind and its format', () => {
  const text = fragmentToText(fragment)
  expect(text.split('\n').slice(0, 3)).toEqual(['{', '  "kind": "impasto/fragment",', '  "format": 1,'])
  expect(JSON.parse(fragmentToText({ ...fragment, variables: [variable] }))).toMatchObject({ format: 2 })
})

it('copied nodes are read with their groups and variables', () => {
  const groups = [{ title: 'Words', members: ['ask'] }]
  const whole = { ...fragment, groups, variables: [variable] }
  expect(fragmentFromText(fragmentToText(whole))).toEqual(whole)
  expect(fragmentFromText(fragmentToText(fragment))).toStrictEqual({ ...fragment, groups: [] })
})

it.each([
  ['no groups', undefined, []],
  ['groups that are no list', 'Words', []],
  ['a group without a title', [{ members: ['ask', 7] }, 'Words'], [{ title: 'Group', members: ['ask'] }]],
  ['a group without members', [{ title: 'Words' }], [{ title: 'Words', members: [] }]],
])('reads text with %s', (_, groups, read) => {
  expect(fragmentFromText(JSON.stringify({ ...sampleFlow(), groups }))?.groups).toEqual(read)
})

it.each([
  ...['', 'words', 'null', '[]', '7', '{}', '{"nodes": {}}', '{"nodes": []}', '{"nodes": [{"id": 3}]}'],
  '{"format": 1, "nodes": [], "edges": []}',
])('text without nodes is not read as copied nodes: %s', (text) => {
  expect(fragmentFromText(text)).toBeNull()
})
