import { describe, expect, it } from 'vitest'
import {
  type Field,
  type FieldKind,
  type FieldSchema,
  fieldsOf,
  type InputsSchema,
  imageFields,
  isAllowed,
  mediaFields,
  optionsOf,
  promptField,
  typeOf,
  withoutNull,
} from './fields'

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

const only = (schema: FieldSchema, required: string[] = []): Field => {
  const [field] = fieldsOf({ properties: { one: schema }, required })
  if (!field) throw new Error('The schema gives no field.')
  return field
}

describe('the control of an input', () => {
  const ui = (widget: string): FieldSchema => ({ 'x-ui': { widget } })

  it.each<[string, FieldSchema, FieldKind]>([
    ['an image', { 'x-type': 'Image' }, 'media'],
    ['images', { 'x-type': 'list[Image]', type: 'array' }, 'media'],
    ['a brand', { 'x-type': 'Brand', type: 'object', properties: { tone: {} } }, 'brand'],
    ['a table', { 'x-type': 'Json', 'x-node': 'table', type: 'array', items: { properties: {} } }, 'table'],
    ['an object with fields', { type: 'object', properties: { city: { type: 'string' } } }, 'form'],
    ['an object without fields', { type: 'object' }, 'form'],
    ['an object as JSON', { type: 'object', properties: { city: {} }, ...ui('json') }, 'json'],
    ['a list as a table', { type: 'array', items: { type: 'boolean' }, ...ui('table') }, 'table'],
    ['a number', { type: 'number' }, 'number'],
    ['an integer', { type: 'integer', ...ui('text') }, 'number'],
    ['an integer that may be empty', { type: ['null', 'integer'] }, 'number'],
    ['a switch', { type: 'boolean' }, 'switch'],
    ['a text', { type: 'string' }, 'text'],
    ['a text of any length', { type: 'string', ...ui('long_text') }, 'long_text'],
    ['a text with an unknown control', { type: 'string', ...ui('hologram') }, 'text'],
    ['a color', { type: 'string', ...ui('colour') }, 'colour'],
    ['a choice', { type: 'string', enum: ['a', 'b'] }, 'choice'],
    ['a choice without choices', { type: 'string', ...ui('select') }, 'text'],
    ['numbers to choose from', { type: 'integer', enum: [1, 2] }, 'choice'],
    ['a list of texts', { type: 'array', items: { type: 'string' } }, 'list'],
    ['a list of anything', { type: 'array' }, 'list'],
    ['colors', { type: 'array', items: { type: 'string' }, ...ui('colour') }, 'form'],
    ['a list of choices', { type: 'array', items: { type: 'string', enum: ['a'] } }, 'form'],
    ['a list of switches', { type: 'array', items: { type: 'boolean' } }, 'form'],
    ['a list of objects', { type: 'array', items: { type: 'object', properties: { a: {} } } }, 'form'],
    [
      'a list of lists of objects',
      { type: 'array', items: { type: 'array', items: { type: 'object', properties: { a: {} } } } },
      'form',
    ],
  ])('of %s fits its values', (_, schema, kind) => expect(only(schema).kind).toBe(kind))
})

describe('a field', () => {
  it('has the title, the help and the initial value of its schema', () => {
    const schema = { type: 'string', title: 'City', description: 'Where it is sold.', default: 'Rome' }
    const about = { title: 'City', help: 'Where it is sold.', initial: 'Rome', exposed: null }
    expect(only(schema)).toMatchObject({ id: 'one', required: false, ...about })
    const bare = { title: 'one', help: '', initial: null, valueType: 'Text', list: false }
    expect(only({ type: 'string' }, ['one'])).toMatchObject({ required: true, ...bare })
    expect(only({ type: 'string', title: '' }).title).toBe('one')
  })

  it('takes several values where its type is a list, or its files are', () => {
    const isList = (type: string, more: FieldSchema = {}) => only({ 'x-type': type, ...more }).list
    expect([isList('list[Text]'), isList('list[Image]'), isList('Image', { type: 'array' })]).toEqual([
      true,
      true,
      true,
    ])
    expect([isList('Image'), isList('Json', { type: 'array' }), isList('Image', { type: 'object' })]).toEqual(
      [false, false, false],
    )
    expect(only({ 'x-type': 'list[Image]' }).valueType).toBe('Image')
  })

  it('that may be empty is the field of what it holds, with its own description', () => {
    const held = { type: 'integer', title: 'Seed', description: 'Any integer.' }
    const schema = { anyOf: [{ type: 'null' }, held], default: null, description: 'Repeats a result.' }
    expect(only(schema)).toMatchObject({ kind: 'number', title: 'Seed', help: 'Repeats a result.' })
    expect(only({ anyOf: [held, { type: 'null' }] }).help).toBe('')
    const either = { anyOf: [{ type: 'string' }, held] }
    expect(withoutNull(either)).toBe(either)
    expect([typeOf({ type: ['null', 'integer'] }), typeOf({ type: ['null'] }), typeOf({})]).toEqual([
      'integer',
      'string',
      '',
    ])
  })

  it('is narrowed by the other settings of its input node', () => {
    const number = only({ type: 'number', minimum: 0, 'x-settings': { lowest: 5, highest: 9 } })
    expect(number.schema).toMatchObject({ minimum: 5, maximum: 9 })
    const choice = only({
      type: 'string',
      description: 'Add options.',
      'x-settings': { options: ['a', 'b'] },
    })
    expect([choice.kind, choice.help, optionsOf(choice.schema)]).toEqual(['choice', '', ['a', 'b']])
  })

  it('without options or bounds keeps its own', () => {
    const settings = { options: [], lowest: null, highest: '9' }
    const schema = { type: 'string', description: 'Add options.', enum: ['a'], minimum: 1, maximum: 2 }
    expect(only({ ...schema, 'x-settings': settings })).toMatchObject({ help: 'Add options.', schema })
  })

  it('of data with fields starts with the value of the agent, in the words of the fields', () => {
    const shape = { type: 'object', description: 'The shop.', properties: { city: { type: 'string' } } }
    const [field] = fieldsOf(dataInput(shape))
    expect(field).toMatchObject({ help: 'The shop.', initial: null })
    const [silent] = fieldsOf(dataInput({ ...shape, description: undefined }))
    expect(silent?.help).toBe('')
  })
})

describe('the choices of a field', () => {
  it('are listed by its type, its control or the server, without the empty one', () => {
    expect(optionsOf({ enum: ['a', null, 2] })).toEqual(['a', '2'])
    expect(optionsOf({ 'x-ui': { choices: ['b'] }, 'x-choices': ['c'] })).toEqual(['b'])
    expect(optionsOf({ 'x-choices': ['c'] })).toEqual(['c'])
    expect([optionsOf({}), optionsOf({ 'x-choices': 'c' })]).toEqual([[], []])
  })
})

describe('a stored value', () => {
  it.each<[string, FieldSchema, unknown[], unknown[]]>([
    ['choice', { enum: ['a', 1] }, ['a', 1, '1'], ['b', null]],
    ['switch', { type: 'boolean' }, [true, false], ['true', null]],
    ['number', { type: 'number', minimum: 1, maximum: 3 }, [1, 2.5, 3], [0.9, 3.1, '2', null]],
    ['number without bounds', { type: 'number' }, [-1e9, 1e9], ['1']],
    ['text', { type: 'string', maxLength: 1 }, ['longer'], []],
  ])('is allowed in a %s by its limits', (_, schema, allowed, refused) => {
    const field = only(schema)
    expect(allowed.filter((value) => !isAllowed(field, value))).toEqual([])
    expect(refused.filter((value) => isAllowed(field, value))).toEqual([])
  })

  it('is allowed in a choice whose choices are not known', () => {
    expect(isAllowed({ ...only({}), kind: 'choice' }, 'a')).toBe(true)
  })
})

describe('an exposed setting', () => {
  const setting = { type: 'string', 'x-setting': 'model', 'x-node': 'paint', 'x-group': 'Cover' }

  it('knows its node, and what that makes', () => {
    expect(only({ ...setting, 'x-makes': 'list[Image]' }).exposed).toEqual({
      group: 'Cover',
      setting: 'model',
      type: 'paint',
      makes: 'Image',
    })
    const bare = { group: '', setting: 'model', type: '', makes: 'Any' }
    expect(only({ type: 'string', 'x-setting': 'model' }).exposed).toEqual(bare)
  })

  it('is in no place of the prompt bar', () => {
    const [model, image] = fieldsOf({
      properties: { model: setting, image: { ...setting, 'x-type': 'Image' } },
    }) as [Field, Field]
    expect([promptField([model]), mediaFields([image]), imageFields([image])]).toEqual([null, [], []])
  })
})

describe('the prompt bar', () => {
  const fields = fieldsOf({
    properties: {
      count: { type: 'integer', 'x-type': 'Integer' },
      clip: { 'x-type': 'Video' },
      tags: { type: 'array', 'x-type': 'list[Text]' },
      title: { type: 'string' },
      brief: { type: 'string', 'x-node': 'user_prompt', 'x-ui': { widget: 'long_text' } },
      cover: { 'x-type': 'Image' },
    },
  })
  const ids = (found: readonly Field[]) => found.map(({ id }) => id)

  it('has the text of a user prompt, else the first text', () => {
    expect(promptField(fields)?.id).toBe('brief')
    expect(promptField(fields.filter(({ id }) => id !== 'brief'))?.id).toBe('title')
    const choice = only({ type: 'string', enum: ['a'] })
    expect(promptField([choice])).toBeNull()
  })

  it('has files in the order of the agent', () => {
    expect(ids(mediaFields(fields))).toEqual(['clip', 'cover'])
    expect(ids(imageFields(fields))).toEqual(['cover'])
  })
})

it('has no fields without inputs', () => {
  expect([fieldsOf(null), fieldsOf(undefined), fieldsOf({})]).toEqual([[], [], []])
})

it('offers the only option of a choice, and accepts no other value', () => {
  const choice = { 'x-type': 'Text', enum: ['old'], 'x-settings': { options: ['red'] } }
  const [field] = fieldsOf({ properties: { color: choice } })
  expect(field && [field.kind, optionsOf(field.schema)]).toEqual(['choice', ['red']])
  expect(field && [isAllowed(field, 'red'), isAllowed(field, 'blue')]).toEqual([true, false])
})

it('keeps the default of data whose fields are known', () => {
  const shape = { type: 'object', properties: { city: { type: 'string' } } }
  const schema = dataInput(shape)
  const facts = { ...schema.properties?.facts, default: { city: 'Bergen' } }
  expect(fieldsOf({ properties: { facts } })[0]?.initial).toEqual({ city: 'Bergen' })
  expect(fieldsOf(schema)[0]?.initial).toBeNull()
})
