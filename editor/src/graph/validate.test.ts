import { describe, expect, it } from 'vitest'
import type { Schema } from './catalog'
import { ownValueError, toHexColor, type ValueError, valueError } from './validate'

const text = (more: Partial<Schema>): Schema => ({ type: 'string', ...more })
const number = (more: Partial<Schema>): Schema => ({ type: 'number', ...more })
const list = (more: Partial<Schema>): Schema => ({ type: 'array', ...more })

describe('the error of a value', () => {
  it.each<[Schema, unknown, ValueError | null]>([
    [text({ minLength: 3 }), 'ab', { code: 'minCharacters', count: 3 }],
    [text({ minLength: 3 }), 'abc', null],
    [text({ minLength: 1 }), '', { code: 'empty' }],
    [text({ maxLength: 3 }), 'abc', null],
    [text({ maxLength: 3 }), 'abcd', { code: 'maxCharacters', count: 3 }],
    [text({ pattern: '^a+$' }), 'aa', null],
    [text({ pattern: '^a+$' }), 'ab', { code: 'pattern' }],
    [text({ pattern: '^a+$' }), '', null],
    [text({ pattern: '(?<' }), 'ab', null],
    [text({ 'x-ui': { widget: 'colour' } }), '#d84', null],
    [text({ 'x-ui': { widget: 'colour' } }), 'red', { code: 'color' }],
    [text({ 'x-ui': { widget: 'colour' } }), ' ', null],
    [text({}), 'red', null],
    [text({ enum: ['a', 'b'] }), 'c', { code: 'choice' }],
    [text({ enum: ['a', 'b'] }), 'b', null],
  ])('of the text schema %j for %j is %j', (schema, value, error) => {
    expect(valueError(schema, value)).toEqual(error)
  })

  it.each<[Schema, unknown, ValueError | null]>([
    [number({ minimum: 2 }), 2, null],
    [number({ minimum: 2 }), 1.9, { code: 'least', limit: 2 }],
    [number({ maximum: 2 }), 2, null],
    [number({ maximum: 2 }), 2.1, { code: 'most', limit: 2 }],
    [number({ exclusiveMinimum: 2 }), 2, { code: 'above', limit: 2 }],
    [number({ exclusiveMinimum: 2 }), 2.1, null],
    [number({ exclusiveMaximum: 2 }), 2, { code: 'below', limit: 2 }],
    [number({ exclusiveMaximum: 2 }), 1.9, null],
    [number({}), Number.NaN, { code: 'number' }],
    [number({}), 1.5, null],
    [{ type: 'integer' }, 1.5, { code: 'integer' }],
    [{ type: 'integer' }, 1, null],
  ])('of the number schema %j for %j is %j', (schema, value, error) => {
    expect(valueError(schema, value)).toEqual(error)
  })

  it.each<[Schema, unknown, ValueError]>([
    [{ type: 'object' }, 'x', { code: 'object' }],
    [{ type: 'object' }, [], { code: 'object' }],
    [list({}), {}, { code: 'list' }],
    [text({}), 1, { code: 'text' }],
    [number({}), '1', { code: 'number' }],
    [{ type: 'integer' }, '1', { code: 'number' }],
    [{ type: 'boolean' }, 'true', { code: 'boolean' }],
  ])('of another type than %j takes is found for %j', (schema, value, error) => {
    expect(valueError(schema, value)).toEqual(error)
    expect(valueError(schema, null)).toBeNull()
    expect(valueError(schema, undefined)).toBeNull()
  })

  it('names the item of a list, unless there is one only', () => {
    const schema = list({ items: text({ maxLength: 2 }), minItems: 1, maxItems: 3 })
    const error = { code: 'maxCharacters', count: 2 }
    expect(valueError(schema, ['ab', 'abc'])).toEqual({ code: 'inItem', number: 2, error })
    expect(valueError(schema, ['abc'])).toEqual(error)
    expect(valueError(schema, ['a', 'b', 'c'])).toBeNull()
    expect(valueError(schema, [])).toEqual({ code: 'minItems', count: 1 })
    expect(valueError(schema, ['a', 'b', 'c', 'd'])).toEqual({ code: 'maxItems', count: 3 })
    expect(valueError(list({}), [1, 'a'])).toBeNull()
  })

  it('names the field of an object, and one that is missing', () => {
    const schema: Schema = {
      type: 'object',
      properties: { name: text({ maxLength: 2 }), age: number({}) },
      required: ['name'],
    }
    expect(valueError(schema, { name: 'ab' })).toBeNull()
    expect(valueError(schema, { age: 1 })).toEqual({ code: 'missing', name: 'name' })
    expect(valueError(schema, { name: 'a', age: 'x' })).toEqual({
      code: 'inField',
      name: 'age',
      error: { code: 'number' },
    })
  })
})

describe('the error of a setting itself', () => {
  it('leaves out the errors of its items', () => {
    const schema = list({ items: { type: 'object', properties: { name: text({}) } }, maxItems: 1 })
    expect(ownValueError(schema, [{ name: 1 }])).toBeNull()
    expect(ownValueError(schema, [{ name: 'a' }, { name: 'b' }])).toEqual({ code: 'maxItems', count: 1 })
  })

  it('is that of the value where there is no form inside', () => {
    expect(ownValueError(text({ maxLength: 1 }), 'ab')).toEqual({ code: 'maxCharacters', count: 1 })
  })
})

describe('a color', () => {
  it.each([
    ['#d84', '#dd8844'],
    ['DE4F2A', '#de4f2a'],
    [' #de4f2a80 ', '#de4f2a'],
    ['#de4f', null],
    ['#de4f2', null],
    ['#de4f2a8', null],
    ['red', null],
    ['', null],
  ])('%j is written as %j', (given, color) => {
    expect(toHexColor(given)).toBe(color)
  })
})
