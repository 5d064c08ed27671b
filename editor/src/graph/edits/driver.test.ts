import { expect, test } from 'vitest'
import { SAMPLE, sampleNode } from '@/test/flow-samples'
import type { NodeType, Schema } from '../catalog'
import { driverSettings } from './driver'

const typeOf = (properties: Record<string, Schema>, input: string | null = null): NodeType => ({
  ...(SAMPLE.types[0] as NodeType),
  settings: { type: 'object', properties },
  input,
})
const text: Schema = { type: 'string', default: '' }
const limit: Schema = { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null }
const choice = typeOf({ value: text, options: { type: 'array', items: { type: 'string' } } }, 'value')
const count = typeOf({ value: { type: 'integer', default: 1 }, lowest: limit, highest: limit }, 'value')
const driven = typeOf({
  ratio: { type: 'string', enum: ['1:1', '4:5'], default: '1:1' },
  images: { type: 'integer', minimum: 1, maximum: 8, default: 1 },
  leave_out: text,
})
const node = sampleNode('paint', 'image_generation', { settings: { ratio: '4:5', images: 3 } })

test('a choice that drives a setting has its value and its choices', () => {
  expect(driverSettings(choice, node, driven, 'ratio')).toEqual({ value: '4:5', options: ['1:1', '4:5'] })
})

test('a choice has the only choice of a setting, and no choices of a setting without any', () => {
  const drives = (values: string[]) =>
    driverSettings(choice, node, typeOf({ ratio: { type: 'string', enum: values } }), 'ratio')
  expect(drives(['4:5'])).toEqual({ value: '4:5', options: ['4:5'] })
  expect(drives([])).toEqual({ value: '4:5' })
})

test('a number that drives a setting has its value and its limits', () => {
  expect(driverSettings(count, node, driven, 'images')).toEqual({ value: 3, lowest: 1, highest: 8 })
})

test('what the input cannot have, and an empty value, are left out', () => {
  expect(driverSettings(count, node, driven, 'ratio')).toEqual({})
  expect(driverSettings(choice, node, driven, 'leave_out')).toEqual({})
  expect(driverSettings(choice, node, driven, 'unknown')).toEqual({})
  expect(driverSettings(typeOf({ value: text }), node, driven, 'ratio')).toEqual({})
})
