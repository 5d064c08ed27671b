import { expect, it } from 'vitest'
import type { Schema } from './catalog'
import { valueError } from './validate'
import { parseValuePath, pathOfError } from './value-path'

it.each([
  ['schema', ['schema']],
  ['tags[1]', ['tags', 1]],
  ['cases[0].groups[2].rules[10].value', ['cases', 0, 'groups', 2, 'rules', 10, 'value']],
  ['schema.properties["full name"].type', ['schema', 'properties', 'full name', 'type']],
  ['schema["say \\"it\\""]["a.b[0]"]', ['schema', 'say "it"', 'a.b[0]']],
  ['', []],
])('reads the path %s', (text, steps) => {
  expect(parseValuePath(text)).toEqual(steps)
})

const SCHEMA: Schema = {
  type: 'object',
  properties: { rows: { type: 'array', items: { type: 'object', properties: { n: { type: 'number' } } } } },
}

it.each([
  [{ rows: [{ n: 1 }, { n: 'two' }] }, ['rows', 1, 'n']],
  [{ rows: [{ n: 'one' }] }, ['rows', 0, 'n']],
  [{ rows: 3 }, ['rows']],
])('says where the error of %j is', (value, path) => {
  const error = valueError(SCHEMA, value)
  expect(error && pathOfError(error, value)).toEqual(path)
})

it.each([
  ['too few items', { rows: { type: 'array', minItems: 2, items: {} } }, { rows: [1] }, ['rows']],
  ['too many items', { rows: { type: 'array', maxItems: 0, items: {} } }, { rows: [1] }, ['rows']],
  ['no items', { rows: { type: 'array', minItems: 1, items: {} } }, { rows: [] }, ['rows']],
])('says where a list with %s is', (_, properties, value, path) => {
  const error = valueError({ type: 'object', properties }, value)
  expect(error && pathOfError(error, value)).toEqual(path)
})
