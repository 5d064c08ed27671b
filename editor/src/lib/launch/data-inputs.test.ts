import { expect, it } from 'vitest'
import { completeData, isDataForm, openFields } from './data-inputs'
import { fieldsOf, type InputsSchema } from './fields'
import { type Inputs, launchInputs, missingFields, missingTitles } from './inputs'

const SHAPE = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    seats: { type: 'integer', minimum: 1 },
    mood: { type: 'string', default: 'calm' },
    terrace: { type: 'boolean' },
    owner: { type: 'object', properties: { mail: { type: 'string' } }, required: ['mail'] },
  },
  required: ['city', 'terrace', 'owner'],
}

function fieldsWith(schema: unknown, value?: unknown) {
  const data = {
    title: 'Facts',
    'x-node': 'data',
    'x-type': 'Json',
    'x-settings': { schema },
    default: value,
  }
  return fieldsOf({ properties: { facts: data }, required: [] } as unknown as InputsSchema)
}

function launched(schema: unknown, values: Inputs) {
  const fields = fieldsWith(schema)
  const inputs = launchInputs(fields, { values, prompt: '', images: [] })
  const missing = missingFields(fields, inputs).flatMap((field) => missingTitles(field, inputs[field.id]))
  return { inputs, missing }
}

it('names the nested fields that need a value, or another one', () => {
  expect(launched(SHAPE, {}).missing).toEqual(['City', 'Mail'])
  const facts = { city: '', seats: 0, owner: { mail: 'a@example.com' } }
  expect(launched(SHAPE, { facts }).missing).toEqual(['City', 'Seats'])
  expect(launched(SHAPE, { facts: { ...facts, city: 'Lisbon', seats: 4 } }).missing).toEqual([])
})

it('sends what the form shows: defaults, and No for a switch that must be set', () => {
  const facts = { city: 'Lisbon', owner: { mail: 'a@example.com' } }
  expect(launched(SHAPE, { facts }).inputs).toEqual({ facts: { ...facts, mood: 'calm', terrace: false } })
})

it('sends an untouched form whose fields are all optional, since nothing would not fit them', () => {
  const { inputs, missing } = launched({ ...SHAPE, required: [] }, {})
  expect(inputs).toEqual({ facts: { mood: 'calm' } })
  expect(missing).toEqual([])
})

it('is a form for data alone, and for no other object', () => {
  const form = { type: 'object', properties: { city: { type: 'string' } } }
  const fields = fieldsOf({
    properties: { place: form, words: { type: 'string', 'x-node': 'data' } },
  } as never)
  expect(fields.map(({ kind }) => kind)).toEqual(['form', 'text'])
  expect([...fields, ...fieldsWith(SHAPE)].map(isDataForm)).toEqual([false, false, true])
})

it('completes nested fields that are required or given, and no others', () => {
  const inner = {
    type: 'object',
    properties: { on: { type: 'boolean' }, n: { default: 1 } },
    required: ['on'],
  }
  const schema = (required: string[]) => ({
    type: 'object',
    properties: { inner, open: { type: 'object' } },
    required,
  })
  expect(completeData(schema([]), undefined)).toEqual({})
  expect(completeData(schema([]), { inner: {} })).toEqual({ inner: { on: false, n: 1 } })
  expect(completeData(schema(['inner', 'open']), null)).toEqual({ inner: { on: false, n: 1 } })
  expect(completeData(schema([]), { inner: 'text', more: 1 })).toEqual({ inner: 'text', more: 1 })
  expect(completeData(schema([]), [1])).toEqual({})
})

it('names the fields that are missing or wrong, also nested ones', () => {
  const open = (value: unknown) => openFields(SHAPE as never, value)
  const whole = { city: 'Bergen', terrace: false, owner: { mail: 'a@b' } }
  expect(open(whole)).toEqual([])
  expect(open({ ...whole, city: '', seats: 0 })).toEqual(['City', 'Seats'])
  expect(open({ ...whole, owner: {} })).toEqual(['Mail'])
  expect(open({ ...whole, owner: null })).toEqual(['Owner'])
  expect(open('text')).toEqual(['City', 'Terrace', 'Owner'])
})
