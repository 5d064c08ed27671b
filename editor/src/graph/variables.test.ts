import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SAMPLE, sampleFlow } from '@/test/flow-samples'
import type { NodeType, Schema } from './catalog'
import type { FlowVariable, VariableType } from './document'
import type { Port } from './ports'
import {
  canHold,
  colorOf,
  convertValue,
  fits,
  MAX_VALUE_LENGTH,
  templateSettings,
  textOfValue,
  typeOfValue,
  VARIABLE_TYPES,
  withoutFilled,
} from './variables'

const tone: FlowVariable = { name: 'tone', type: 'Text', value: 'dry' }
const prompt = SAMPLE.type('user_prompt') as NodeType

describe('the settings whose placeholders take variables', () => {
  const inputOf = (schema: Schema, more: Partial<NodeType> = {}) => ({
    ...prompt,
    settings: { type: 'object', properties: { text: schema } } as Schema,
    ...more,
  })

  it('are the templates of a type, and the text of an input node', () => {
    expect(templateSettings(SAMPLE.type('language_model'))).toEqual(['system_prompt'])
    expect(templateSettings(prompt)).toEqual(['text'])
    expect(templateSettings(inputOf({ type: 'string' }, { variables: ['footer'] }))).toEqual([
      'footer',
      'text',
    ])
  })

  it('are named once where the text of an input node is a template itself', () => {
    expect(templateSettings(inputOf({ type: 'string' }, { variables: ['text'] }))).toEqual(['text'])
  })

  it.each<[string, NodeType | undefined]>([
    ['an unknown type', undefined],
    ['a type without templates', SAMPLE.type('palette')],
    ['an input node for numbers', inputOf({ type: 'integer' })],
    ['an input node for lists of texts', inputOf({ type: 'array', items: { type: 'string' } })],
    ['an input node whose value is no setting', { ...prompt, input: 'gone' }],
  ])('are none of %s', (_, type) => expect(templateSettings(type)).toEqual([]))
})

describe('inputs that variables fill', () => {
  const named = (name: string, kind: Port['kind']) => ({ name, kind }) as Port
  const document = { ...sampleFlow(), variables: [tone] }

  it('are those of placeholders alone: an input of the type keeps its place, whatever its name', () => {
    const ports = [named('tone', 'port'), named('tone', 'variable'), named('mood', 'variable')]
    expect(withoutFilled(ports, document, [])).toEqual([ports[0], ports[2]])
    expect(withoutFilled(ports, sampleFlow(), [])).toBe(ports)
  })
})

describe('a value of a variable', () => {
  it('is anything but nothing, files and brands, up to a length', () => {
    const longest = 'x'.repeat(MAX_VALUE_LENGTH)
    expect(['', 'a', 0, false, [], { a: null }, longest].map(canHold)).not.toContain(false)
    const file = { $type: 'Image', asset_id: 'a' }
    expect([undefined, null, file, [file], { cover: file }, `${longest}x`].map(canHold)).not.toContain(true)
  })

  it('that is nothing fits no setting, also where it may be empty', () => {
    expect(fits({ anyOf: [{ type: 'string' }, { type: 'null' }] }, { ...tone, value: null })).toBe(false)
  })

  const asType = (type: VariableType, values: readonly unknown[]) =>
    values.map((value) => convertValue(value, type))

  it('is converted to the nearest value of another type', () => {
    expect(asType('Text', ['dry', 3, true, null, ['a'], { a: 1 }])).toEqual([
      'dry',
      '3',
      'true',
      '',
      '["a"]',
      '{"a":1}',
    ])
    expect(asType('Number', [2.5, ' 2.5 ', '-1e3'])).toEqual([2.5, 2.5, -1000])
    expect(asType('Integer', [2.5, -2.5, '7.9'])).toEqual([2, -2, 7])
    expect(asType('Boolean', [true, 'true', false, 'false', 'yes', 1, null])).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ])
    expect(asType('Json', [null, 'a', [1]])).toEqual([null, 'a', [1]])
  })

  it('that is no number is zero as one', () => {
    const values = ['', '  ', 'many', 'Infinity', Number.NaN, Infinity, true, null, undefined, [3], {}]
    for (const type of ['Number', 'Integer'] as const)
      expect(new Set(asType(type, values))).toEqual(new Set([0]))
  })

  it('has the type that it was converted to', () => {
    const types = fc.constantFrom(...VARIABLE_TYPES.filter((type) => type !== 'Json'))
    fc.assert(
      fc.property(fc.jsonValue(), types, (value, type) => {
        const schema: Schema = { type: type === 'Integer' ? 'integer' : 'number' }
        expect(typeOfValue(schema, convertValue(value, type))).toBe(type)
      }),
    )
  })

  it('stays the same when it is converted to text and back', () => {
    fc.assert(
      fc.property(fc.oneof(fc.boolean(), fc.integer()), (value) => {
        expect(convertValue(textOfValue(value), typeof value === 'boolean' ? 'Boolean' : 'Integer')).toBe(
          value,
        )
      }),
    )
  })

  it('is a color if it is edited as one', () => {
    expect(colorOf({ ...tone, value: '#D84', widget: 'colour' })).toBe('#dd8844')
    expect(colorOf({ ...tone, value: 'reddish', widget: 'colour' })).toBeNull()
    expect(colorOf({ ...tone, value: '#D84' })).toBeNull()
    expect(colorOf({ ...tone, type: 'Integer', value: 3, widget: 'colour' })).toBeNull()
  })
})
