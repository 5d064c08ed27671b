import { describe, expect, it } from 'vitest'
import type { Schema } from './catalog'
import { hasTypeOf, ownValueError, type ValueError, valueError } from './validate'
import { choiceLabelOf, choicesOf, isOptional, stepOf, widgetOf } from './widgets'

describe('widgetOf', () => {
  it.each([
    [{ type: 'string' }, 'text'],
    [{ type: 'boolean' }, 'switch'],
    [{ type: 'integer', minimum: 1, maximum: 4 }, 'slider'],
    [{ type: 'integer', minimum: 1 }, 'number'],
    [{ enum: ['1:1', '4:5', '9:16', '16:9'] }, 'segmented'],
    [{ enum: ['a long choice', 'another long choice', 'the third long choice'] }, 'select'],
    [{ type: 'string', 'x-ui': { options: true, widget: 'select' } }, 'options'],
    [{ type: 'string', 'x-ui': { widget: 'select' } }, 'text'],
    [{ type: 'string', 'x-ui': { widget: 'long_text' } }, 'long_text'],
    [{ anyOf: [{ type: 'number', minimum: 0, maximum: 1 }, { type: 'null' }], default: null }, 'number'],
    [{ type: 'integer', minimum: 0, maximum: 2147483647, 'x-ui': { widget: 'slider' } }, 'number'],
    [{ type: 'number', 'x-ui': { widget: 'number', options: true } }, 'options'],
    [{ type: 'object', 'x-ui': { widget: 'json', options: true } }, 'json'],
    [
      { anyOf: [{ type: 'string', 'x-ui': { unit: 's' } }, { type: 'null' }], 'x-ui': { options: true } },
      'options',
    ],
    [
      { anyOf: [{ type: 'string', 'x-ui': { options: true } }, { type: 'null' }], 'x-ui': { unit: 's' } },
      'options',
    ],
    [{ 'x-type': 'Image' } as Schema, 'picture'],
    [{ 'x-type': 'Audio' } as Schema, 'file'],
    [{ 'x-type': 'Text', type: 'string' } as Schema, 'text'],
    [{ type: 'string', format: 'color' }, 'colour'],
    [{ type: 'array' }, 'json'],
    [{ type: 'array', items: { type: 'string', format: 'color' } }, 'colors'],
    [{ type: 'array', items: { type: 'string' }, 'x-ui': { widget: 'list' } }, 'list'],
    [{ type: 'number', minimum: 0, maximum: 1, 'x-ui': { widget: 'slider' } }, 'slider'],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 'slider'],
    [{ type: 'array', items: { type: 'string' }, 'x-ui': { widget: 'colour' } }, 'colors'],
    [
      {
        enum: ['1:1', '4:5', '5:4', '3:4', '4:3', '2:3', '3:2', '9:16', '16:9', '21:9'],
        'x-ui': { widget: 'segmented' },
      },
      'segmented',
    ],
    [{ type: 'array', items: { type: 'string' } }, 'list'],
    [{ type: 'array', items: { type: 'string', pattern: '^#[0-9a-f]{6}$' } }, 'colors'],
    [{ type: 'array', items: { type: 'object' } }, 'items'],
    [{ type: 'object', 'x-ui': { widget: 'schema' } }, 'schema'],
    [{ type: 'object', 'x-ui': { widget: 'key_value', options: true } }, 'key_value'],
    [{ type: 'object' }, 'key_value'],
    [{ type: 'object', properties: { name: { type: 'string' } } }, 'object'],
    [{ type: 'object', properties: { name: { type: 'string' } }, 'x-ui': { widget: 'brand' } }, 'object'],
    [{ type: 'object', properties: { name: { type: 'string' } }, 'x-ui': { widget: 'file' } }, 'object'],
    [{ type: 'object', properties: { asset_id: { type: 'string' } } }, 'file'],
    [
      {
        type: 'object',
        title: 'Logo',
        properties: { asset_id: { type: 'string' }, media_type: { default: 'image/png' } },
      },
      'picture',
    ],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, 'items'],
    [{ type: 'array', items: { type: 'array', items: { type: 'integer' } } }, 'items'],
    [{ type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } } }, 'items'],
    [{ $ref: '#/$defs/Tree' } as Schema, 'json'],
    [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, 'json'],
    [{ type: 'string', format: 'iso-8601-of-mars', 'x-ui': { widget: 'wobble' } }, 'text'],
    [{}, 'json'],
  ])('chooses for %j: %s', (schema, widget) => {
    expect(widgetOf(schema)).toBe(widget)
  })

  it('shows a form or a list nested deeper than three levels as JSON', () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } } }
    expect(widgetOf(schema, 2)).toBe('object')
    expect(widgetOf(schema, 3)).toBe('json')
    const list = { type: 'array', items: { enum: ['a', 'b'] } }
    expect(widgetOf(list, 2)).toBe('items')
    expect(widgetOf(list, 3)).toBe('json')
  })

  it.each([
    [{ type: 'integer', minimum: 0, maximum: 2000 }, 'slider'],
    [{ type: 'integer', minimum: 0, maximum: 2001 }, 'number'],
    [{ enum: ['a', 'b', 'c', 'd', 'e'] }, 'segmented'],
    [{ enum: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'select'],
    [{ enum: ['fifteen letters', 'fifteen letter2'] }, 'segmented'],
    [{ enum: ['fifteen letters', 'sixteen letters!'] }, 'select'],
    [
      { enum: Array.from({ length: 12 }, (_, n) => `${10000 + n}`), 'x-ui': { widget: 'segmented' } },
      'segmented',
    ],
    [
      { enum: Array.from({ length: 13 }, (_, n) => `${10000 + n}`), 'x-ui': { widget: 'segmented' } },
      'select',
    ],
    [
      { enum: Array.from({ length: 12 }, (_, n) => `${100000 + n}`), 'x-ui': { widget: 'segmented' } },
      'select',
    ],
  ])('at the limits of a widget, chooses for %j: %s', (schema, widget) => {
    expect(widgetOf(schema)).toBe(widget)
  })

  it('derives the step of a slider from its range', () => {
    expect(stepOf({ type: 'number', minimum: 0, maximum: 1 })).toBe(0.05)
    expect(stepOf({ type: 'number', minimum: 0, maximum: 2 })).toBe(0.05)
    expect(stepOf({ type: 'number', minimum: 0, maximum: 2.1 })).toBe(0.1)
    expect(stepOf({ type: 'integer', minimum: 0, maximum: 9 })).toBe(1)
    expect(stepOf({ type: 'number', 'x-ui': { step: 0.25 } })).toBe(0.25)
  })
})

describe('valueError', () => {
  it.each<[Schema, unknown, ValueError | null]>([
    [{ type: 'integer', minimum: 1, maximum: 4 }, 5, { code: 'most', limit: 4 }],
    [{ type: 'integer' }, 1.5, { code: 'integer' }],
    [{ type: 'string', minLength: 1 }, '', { code: 'empty' }],
    [{ enum: ['a'] }, 'b', { code: 'choice' }],
    [
      { type: 'array', items: { type: 'number', minimum: 0 } },
      [1, -1],
      { code: 'inItem', number: 2, error: { code: 'least', limit: 0 } },
    ],
    [{ type: 'number', minimum: 0 }, 0, null],
    [{ type: 'number', maximum: 4 }, 4, null],
    [{ type: 'number', exclusiveMinimum: 0 }, 0, { code: 'above', limit: 0 }],
    [{ type: 'number', exclusiveMinimum: 0 }, 0.1, null],
    [{ type: 'number', exclusiveMaximum: 4 }, 4, { code: 'below', limit: 4 }],
    [{ type: 'number', exclusiveMaximum: 4 }, 3.9, null],
    [{ type: 'string', minLength: 2 }, 'a', { code: 'minCharacters', count: 2 }],
    [{ type: 'string', minLength: 2, maxLength: 2 }, 'ab', null],
    [{ type: 'string', maxLength: 2 }, 'abc', { code: 'maxCharacters', count: 2 }],
    [{ type: 'array', minItems: 2, maxItems: 2 }, [1, 2], null],
    [{ type: 'array', maxItems: 2 }, [1, 2, 3], { code: 'maxItems', count: 2 }],
    [{ type: 'number' }, 'a', { code: 'number' }],
    [{ type: 'boolean' }, 'a', { code: 'boolean' }],
    [{ type: 'object' }, 'a', { code: 'object' }],
    [{ type: 'array' }, 'a', { code: 'list' }],
    [{ type: 'string' }, 4, { code: 'text' }],
    [{ type: 'string', pattern: '^\\d{4}$' }, '26', { code: 'pattern' }],
    [{ type: 'string', pattern: '(?P<year>\\d{4})\\Z' }, '26', null],
    [{ type: 'string', 'x-ui': { widget: 'colour' } }, 'blue', { code: 'color' }],
    [{ type: 'string', 'x-ui': { widget: 'colour' } }, '#d84', null],
    [{ type: 'array', minItems: 1 }, [], { code: 'minItems', count: 1 }],
    [{ type: 'object', required: ['name'] }, {}, { code: 'missing', name: 'name' }],
    [
      { type: 'object', properties: { n: { type: 'integer' } } },
      { n: 'x' },
      { code: 'inField', name: 'n', error: { code: 'number' } },
    ],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null, null],
  ])('%j with %j: %j', (schema, value, error) => {
    expect(valueError(schema, value)).toEqual(error)
  })
})

describe('ownValueError', () => {
  const stops = {
    type: 'array',
    minItems: 1,
    items: { type: 'object', properties: { minutes: { type: 'integer', maximum: 90 } } },
  }

  it('ignores errors inside the fields of a nested form', () => {
    expect(valueError(stops, [{ minutes: 120 }])).toEqual({
      code: 'inField',
      name: 'minutes',
      error: { code: 'most', limit: 90 },
    })
    expect(ownValueError(stops, [{ minutes: 120 }])).toBeNull()
    expect(ownValueError(stops, [])).toEqual({ code: 'minItems', count: 1 })
  })
})

const listOf = (items: Schema): Schema => ({ type: 'array', items })
const text: Schema = { type: 'string' }

it.each<[Schema, string]>([
  [{ type: 'number', minimum: 0, maximum: 200 }, 'slider'],
  [{ type: 'number', minimum: 0, maximum: 201 }, 'number'],
  [{ type: 'integer', minimum: -1000, maximum: 1000 }, 'slider'],
  [{ type: 'integer', minimum: 1000, maximum: 3001 }, 'number'],
  [{ type: 'integer', maximum: 4 }, 'number'],
  [{ type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 4 }, 'slider'],
  [{ enum: ['a'] }, 'segmented'],
  [{ enum: ['a', 'b', 'c', 'd', 'e'] }, 'segmented'],
  [{ enum: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'select'],
  [{ enum: ['square', 'upright'], 'x-ui': { widget: 'segmented' } }, 'segmented'],
  [{ enum: ['square', 'upright'], 'x-ui': { widget: 'select' } }, 'select'],
  [{ ...listOf(text), 'x-ui': { widget: 'list' } }, 'list'],
  [{ ...listOf(text), 'x-ui': { widget: 'table' } }, 'table'],
  [{ ...listOf(text), 'x-ui': { widget: 'unknown' } }, 'list'],
  [{ type: 'array' }, 'json'],
  [listOf({ ...text, enum: ['a'] }), 'items'],
  [listOf(listOf(listOf(listOf(text)))), 'items'],
  [listOf(listOf(listOf(listOf(listOf(text))))), 'json'],
])('%j has the control %s', (schema, widget) => {
  expect(widgetOf(schema)).toBe(widget)
})

it('a setting has the control that it asks for itself, else that of its type', () => {
  const inner: Schema = { ...text, 'x-ui': { widget: 'colour' } }
  const anyOf = [inner, { type: 'null' }]
  expect(widgetOf({ anyOf, 'x-ui': { widget: 'long_text' } })).toBe('long_text')
  expect(widgetOf({ anyOf })).toBe('colour')
})

it.each<[Schema, number]>([
  [{ type: 'number', minimum: 1, maximum: 3 }, 0.05],
  [{ type: 'number', minimum: 1, maximum: 3.5 }, 0.1],
  [{ type: 'number', minimum: 1 }, 0.1],
  [{ type: 'integer', minimum: 0, maximum: 1 }, 1],
  [{ type: 'number', multipleOf: 0.5 }, 0.5],
  [{ type: 'number', multipleOf: 0.5, 'x-ui': { step: 2 } }, 2],
])('the step of %j is %d', (schema, step) => expect(stepOf(schema)).toBe(step))

it.each<[Schema, boolean]>([
  [{ anyOf: [text, { type: 'null' }] }, true],
  [{ oneOf: [text, { type: 'null' }] }, true],
  [{ anyOf: [text, { type: 'integer' }] }, false],
  [{ ...text, default: null }, true],
  [text, false],
])('%j may be null: %s', (schema, optional) => expect(isOptional(schema)).toBe(optional))

it.each<[Schema, unknown[]]>([
  [{ enum: ['a', 1, true, null, {}] }, ['a', 1, true]],
  [{ anyOf: [{ const: 'a' }, text, { const: 'b' }] }, ['a', 'b']],
  [{ oneOf: [{ const: 'a' }] }, ['a']],
  [text, []],
])('the choices of %j are %j', (schema, choices) => expect(choicesOf(schema)).toEqual(choices))

it('a choice has the label of its schema, else a readable one', () => {
  const schema: Schema = { enum: ['auto', 'line_art'], 'x-ui': { labels: { auto: 'By itself' } } }
  expect(choiceLabelOf(schema, 'auto')).toBe('By itself')
  expect([choiceLabelOf(schema, 'line_art'), choiceLabelOf({}, 'auto')]).toEqual(['Line art', 'Automatic'])
})

it('a setting itself has no error of its nested fields', () => {
  const member: Schema = { type: 'object', properties: { name: text }, required: ['name'] }
  expect(ownValueError(member, undefined)).toBeNull()
  expect(ownValueError(member, { name: 7 })).toBeNull()
  expect(ownValueError(member, 7)).toEqual({ code: 'object' })
  const list = { ...listOf(member), minItems: 2 }
  expect(ownValueError(list, [{ name: 7 }, {}])).toBeNull()
  expect(ownValueError(list, [{ name: 'a' }])).toEqual({ code: 'minItems', count: 2 })
  expect(ownValueError(list, 7)).toEqual({ code: 'list' })
  expect(ownValueError({ type: 'integer', minimum: 2 }, 1)).toEqual({ code: 'least', limit: 2 })
})

it('a value has the type of its schema, whatever its other errors', () => {
  const short: Schema = { ...text, maxLength: 2 }
  expect([hasTypeOf(short, 'long'), hasTypeOf(short, 7)]).toEqual([true, false])
})
