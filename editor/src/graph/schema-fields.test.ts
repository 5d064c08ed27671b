import { describe, expect, it } from 'vitest'
import {
  EMPTY_OBJECT,
  exampleOf,
  fieldTypeOf,
  isFormSchema,
  namedFieldsOf,
  unusedName,
  withExample,
  withFieldType,
  withNamedFields,
} from './schema-fields'

const product = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { title: { type: 'string', maxLength: 40 }, price: { type: 'number' } },
  required: ['title'],
  additionalProperties: false,
}

describe('the fields of a schema', () => {
  it('are read and written without losing a keyword', () => {
    const fields = namedFieldsOf(product)
    expect(fields.map(({ name, required }) => [name, required])).toEqual([
      ['title', true],
      ['price', false],
    ])
    expect(withNamedFields(product, fields)).toEqual(product)
  })

  it('start an object that allows no other fields', () => {
    const field = { name: 'title', schema: { type: 'string' }, required: true }
    expect(withNamedFields({}, [field])).toEqual({
      ...EMPTY_OBJECT,
      properties: { title: { type: 'string' } },
      required: ['title'],
    })
  })

  it('keep their order when one is renamed', () => {
    const fields = namedFieldsOf(product).map((field) =>
      field.name === 'title' ? { ...field, name: 'name' } : field,
    )
    expect(Object.keys(withNamedFields(product, fields).properties as object)).toEqual(['name', 'price'])
    expect(withNamedFields(product, fields).required).toEqual(['name'])
  })
})

describe('the type of a field', () => {
  it.each([
    [{ type: 'string' }, 'string'],
    [{ type: 'string', enum: ['a', 'b'] }, 'choice'],
    [{ type: 'integer', enum: [1, 2] }, 'other'],
    [{ type: 'array', items: { type: 'string' } }, 'array'],
    [{ type: 'array', items: [{ type: 'string' }] }, 'other'],
    [{ type: 'object', properties: {} }, 'object'],
    [{ type: 'object', properties: { a: true } }, 'other'],
    [{ type: ['string', 'null'] }, 'other'],
    [{ anyOf: [{ type: 'string' }] }, 'other'],
    [{ $ref: '#/$defs/a' }, 'other'],
    [{}, 'other'],
  ])('of %j is %s', (schema, type) => {
    expect(fieldTypeOf(schema)).toBe(type)
  })

  it('can be changed, and keeps the description only', () => {
    const text = { type: 'string', description: 'In euros', maxLength: 4, title: 'Price' }
    expect(withFieldType(text, 'number')).toEqual({ type: 'number', description: 'In euros', title: 'Price' })
    expect(withFieldType(text, 'choice')).toMatchObject({ type: 'string', enum: [] })
    expect(withFieldType(text, 'array')).toMatchObject({ type: 'array', items: { type: 'string' } })
    expect(withFieldType({ anyOf: [] }, 'object')).toEqual(EMPTY_OBJECT)
  })
})

it.each([
  [undefined, true],
  [null, true],
  [{}, true],
  [product, true],
  [{ type: 'array', items: { type: 'string' } }, false],
  [{ type: 'object', $ref: '#/$defs/a' }, false],
  ['text', false],
  [[], false],
])('whether a form shows %j: %s', (value, shown) => expect(isFormSchema(value)).toBe(shown))

describe('the example of a field', () => {
  it.each([
    [{ type: 'string', examples: ['Jug', 'Can'] }, 'Jug'],
    [{ type: 'number', examples: [0] }, '0'],
    [{ type: 'integer', examples: [null] }, ''],
    [{ type: 'string', examples: [] }, ''],
    [{ type: 'string', examples: 'Jug' }, ''],
    [{ type: 'string' }, ''],
    [{ type: 'boolean', examples: [true] }, null],
    [{ type: 'string', enum: ['a'], examples: ['a'] }, null],
  ])('of %j is %j', (schema, example) => expect(exampleOf(schema)).toBe(example))

  it.each([
    [{ type: 'string' }, 'Jug', { type: 'string', examples: ['Jug'] }],
    [{ type: 'string' }, ' ', { type: 'string', examples: [' '] }],
    [{ type: 'string', examples: ['Jug', 'Can'] }, 'Mug', { type: 'string', examples: ['Mug', 'Can'] }],
    [{ type: 'string', examples: ['Jug', 'Can'] }, '', { type: 'string', examples: ['Can'] }],
    [{ type: 'string', examples: ['Jug'] }, '', { type: 'string' }],
    [{ type: 'string', examples: 'Jug' }, '', { type: 'string' }],
    [{ type: 'number' }, '1.5', { type: 'number', examples: [1.5] }],
    [{ type: 'integer', examples: [1] }, ' ', { type: 'integer' }],
    [{ type: 'number', examples: [1, 2] }, 'many', { type: 'number', examples: [2] }],
    [{ type: 'number' }, '1e999', { type: 'number' }],
  ])('of %j becomes %j', (schema, text, changed) => expect(withExample(schema, text)).toStrictEqual(changed))
})

it.each([
  [{ type: 'integer', enum: ['a'] }, 'other'],
  [{ type: 'string', enum: ['a', 1] }, 'other'],
  [{ type: 'string', enum: 'a' }, 'other'],
  [{ type: 'object', required: 'a' }, 'other'],
  [{ type: 'object', required: [1] }, 'other'],
])('a form can only keep %j: %s', (schema, type) => {
  expect(fieldTypeOf(schema)).toBe(type)
})

it('an unused name has the first free number', () => {
  expect(unusedName('field', [])).toBe('field')
  expect(unusedName('field', ['field'])).toBe('field_2')
  expect(unusedName('field', ['field', 'field_2'])).toBe('field_3')
})
