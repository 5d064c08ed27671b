import { describe, expect, it } from 'vitest'
import { sampleNode } from '@/test/flow-samples'
import { isFormShape, withShape } from './data-shape'
import type { SettingField } from './setting-fields'

const PRODUCT = {
  type: 'object',
  title: 'Product',
  description: 'What is sold.',
  default: {},
  properties: { name: { type: 'string' }, price: { type: 'number' } },
}
const VALUE: SettingField = {
  name: 'value',
  title: 'Value',
  schema: {},
  advanced: false,
  main: true,
  group: null,
  required: false,
}

describe('the shape of data', () => {
  it('is a form if it is an object with fields', () => {
    expect(isFormShape(PRODUCT)).toBe(true)
  })

  it.each([
    ['missing', undefined],
    ['empty', null],
    ['a text', 'object'],
    ['a list', { type: 'array', properties: PRODUCT.properties }],
    ['an object without fields', { type: 'object' }],
    ['an object with an empty list of fields', { type: 'object', properties: {} }],
    ['defined elsewhere', { ...PRODUCT, properties: { name: { $ref: '#/$defs/Name' } } }],
  ])('is no form if it is %s', (_, shape) => expect(isFormShape(shape)).toBe(false))

  it('gives the value of a data node its fields, and keeps the title of the setting', () => {
    const node = sampleNode('data', 'data', { settings: { schema: PRODUCT } })
    expect(withShape(node, VALUE)).toEqual({
      ...VALUE,
      schema: { type: 'object', properties: PRODUCT.properties },
    })
  })

  it('changes no other setting, no other node, and no data without fields', () => {
    const settings = { schema: PRODUCT }
    const other = { ...VALUE, name: 'schema' }
    expect(withShape(sampleNode('data', 'data', { settings }), other)).toBe(other)
    expect(withShape(sampleNode('ask', 'user_prompt', { settings }), VALUE)).toBe(VALUE)
    expect(withShape(sampleNode('data', 'data', { settings: { schema: 'text' } }), VALUE)).toBe(VALUE)
  })
})
