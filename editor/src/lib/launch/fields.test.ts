import { expect, it } from 'vitest'
import { fieldsOf, type InputsSchema } from './fields'

const dataInput = (schema: unknown) =>
  ({
    type: 'object',
    properties: {
      facts: {
        title: 'Facts',
        'x-node': 'data',
        'x-type': 'Json',
        'x-ui': { widget: 'json' },
        'x-settings': { schema },
      },
    },
    required: [],
  }) as unknown as InputsSchema

it('shows a form for data whose fields are known', () => {
  const shape = {
    type: 'object',
    title: 'Shape',
    properties: { city: { type: 'string' } },
    required: ['city'],
  }
  const [field] = fieldsOf(dataInput(shape))
  expect(field).toMatchObject({ title: 'Facts', kind: 'form', schema: { properties: shape.properties } })
})

it.each([
  ['of any shape', {}],
  ['that is a list', { type: 'array', items: { type: 'string' } }],
  ['with references', { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: {} } }],
])('shows JSON for data %s', (_, shape) => {
  expect(fieldsOf(dataInput(shape))[0]?.kind).toBe('json')
})

it('has the control of masks for a mask', () => {
  const mask = { title: 'Mask', 'x-node': 'mask', 'x-type': 'Mask', 'x-ui': { widget: 'mask' } }
  expect(fieldsOf({ properties: { area: mask }, required: [] })[0]?.kind).toBe('form')
})
