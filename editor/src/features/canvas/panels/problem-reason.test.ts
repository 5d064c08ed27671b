import { expect, it } from 'vitest'
import type { Reason } from '@/document/backend'
import type { Schema } from '@/graph/catalog'
import type { ValueError } from '@/graph/validate'
import { reasonOf, valueErrorOf } from './problem-reason'

const text: Schema = { type: 'string' }
const list: Schema = { type: 'array' }
const reason = (code: string, parameters?: Reason['parameters']): Reason => ({ code, text: '', parameters })

it.each<[string, Reason['parameters'], Schema | undefined, ValueError | null]>([
  ['wrong_type', { expected: 'integer', found: 'text' }, undefined, { code: 'integer' }],
  ['wrong_type', { expected: 'Image', found: 'Video' }, undefined, null],
  ['too_small', { limit: 0 }, undefined, { code: 'least', limit: 0 }],
  ['too_large', { limit: 4 }, undefined, { code: 'most', limit: 4 }],
  ['not_above', { limit: 0.5 }, undefined, { code: 'above', limit: 0.5 }],
  ['not_below', { limit: -1 }, undefined, { code: 'below', limit: -1 }],
  ['too_short', { count: 1 }, text, { code: 'empty' }],
  ['too_short', { count: 2 }, text, { code: 'minCharacters', count: 2 }],
  ['too_short', { count: 1 }, list, { code: 'minItems', count: 1 }],
  ['too_long', { count: 1 }, text, { code: 'maxCharacters', count: 1 }],
  ['too_long', { count: 0 }, undefined, { code: 'maxItems', count: 0 }],
  ['wrong_format', {}, text, { code: 'pattern' }],
  ['not_a_choice', {}, text, { code: 'choice' }],
  ['missing_field', { name: 'width' }, undefined, { code: 'missing', name: 'width' }],
  ['unknown_field', { name: 'width' }, undefined, null],
  ['other', { count: 3 }, text, null],
])('a reason %s with %j is worded as the error of a value', (code, parameters, schema, error) => {
  expect(valueErrorOf(reason(code, parameters), [], schema)).toEqual(error)
})

it.each([
  'wrong_type',
  'too_small',
  'too_large',
  'not_above',
  'not_below',
  'too_short',
  'too_long',
  'missing_field',
])('a reason %s without its parameters is no error of a value', (code) =>
  expect(valueErrorOf(reason(code), ['a'], text)).toBeNull(),
)

it('is worded at its place in the value', () => {
  expect(valueErrorOf(reason('wrong_format'), ['line_items', 0], list)).toEqual({
    code: 'inField',
    name: 'Line items',
    error: { code: 'inItem', number: 1, error: { code: 'pattern' } },
  })
})

it('is asked of wrong settings alone', () => {
  const bad = { code: 'bad_setting', setting: 'size', message: '', severity: 'error' } as const
  const why = reason('too_small', { limit: 1 })
  expect(reasonOf({ ...bad, reason: why })).toBe(why)
  expect(reasonOf({ ...bad, setting: null, reason: why })).toBeNull()
  expect(reasonOf({ ...bad, code: 'wrong_variable', reason: why })).toBeNull()
  expect(reasonOf(bad)).toBeNull()
})
