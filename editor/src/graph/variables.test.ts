import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SAMPLE, sampleFlow, sampleNode } from '@/test/flow-samples'
import type { NodeType, Schema } from './catalog'
import type { FlowNode, FlowVariable, VariableType } from './document'
import type { Port } from './ports'
import {
  boundNode,
  canHold,
  colorOf,
  convertValue,
  fits,
  freshName,
  MAX_VALUE_LENGTH,
  nameError,
  templateSettings,
  textOfValue,
  typeOfValue,
  usesOf,
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

describe('the uses of variables', () => {
  const write = (more: Partial<FlowNode>) => sampleNode('write', 'language_model', more)
  const flowOf = (...nodes: FlowNode[]) => ({ ...sampleFlow({ nodes, edges: [] }), variables: [tone] })

  it('are listed for each variable in the order of the document', () => {
    const system_prompt = 'Be {{tone}}.'
    const flow = flowOf(
      { ...write({ settings: { system_prompt } }), id: 'first' },
      { ...write({ variables: { model: 'tone' } }), id: 'second' },
    )
    expect(usesOf(flow, SAMPLE).get('tone')).toEqual([
      { node: 'first', setting: 'system_prompt', kind: 'template' },
      { node: 'second', setting: 'model', kind: 'setting' },
    ])
  })

  it('are no placeholders in a text that a variable sets, nor in a node of an unknown type', () => {
    const hidden = write({ settings: { system_prompt: '{{tone}}' }, variables: { system_prompt: 'gone' } })
    const unknown = sampleNode('odd', 'gone', { settings: { system_prompt: '{{tone}}' } })
    const uses = usesOf(flowOf(hidden, unknown), SAMPLE)
    expect([...uses]).toEqual([['gone', [{ node: 'write', setting: 'system_prompt', kind: 'setting' }]]])
  })

  it('give a node the values; a node without any is the same', () => {
    const bare = write({ settings: { model: 'a' } })
    expect(boundNode(bare, [tone])).toBe(bare)
    expect(boundNode(write({ variables: { model: 'tone' } }), [tone]).settings).toEqual({ model: 'dry' })
  })
})

describe('the name of a variable', () => {
  it('may have 64 characters', () => {
    const [longest, tooLong] = ['x'.repeat(64), 'x'.repeat(65)]
    expect(nameError(sampleFlow(), SAMPLE, longest)).toBeNull()
    expect(nameError(sampleFlow(), SAMPLE, tooLong)).toEqual({ code: 'long' })
  })

  it('is none that an edge drives at a node that uses the variable', () => {
    const write = sampleNode('write', 'language_model', {
      settings: { system_prompt: 'Be {{tone}}, {{mood}}' },
    })
    const flow = sampleFlow({
      nodes: [sampleNode('ask', 'user_prompt'), write],
      edges: [{ from: 'ask.output', to: 'write.mood' }],
    })
    expect(nameError({ ...flow, variables: [tone] }, SAMPLE, 'mood', 'tone')).toEqual({
      code: 'input',
      node: 'write',
    })
  })

  it('is made of a text by what names may have, with a number where it is taken', () => {
    const taken = new Set(['tone', 'tone_2'])
    const names = ['Key visual!', '__mood__', '3 posts', '…', 'tone'].map((stem) => freshName(stem, taken))
    expect(names).toEqual(['Key_visual', 'mood', 'v_3_posts', 'variable', 'tone_3'])
    expect(freshName('x'.repeat(90), new Set())).toHaveLength(56)
  })
})

describe('inputs that variables fill', () => {
  const named = (name: string, kind: Port['kind']) => ({ name, kind }) as Port
  const document = { ...sampleFlow(), variables: [tone] }

  it('are those of placeholders alone: an input of the type keeps its place, whatever its name', () => {
    const ports = [named('tone', 'port'), named('tone', 'variable'), named('mood', 'variable')]
    expect(withoutFilled(ports, document, [])).toEqual([ports[0], ports[2]])
    expect(withoutFilled(ports, sampleFlow(), [])).toBe(ports)
    const fixed = [named('tone', 'port')]
    expect(withoutFilled(fixed, document, [])).toBe(fixed)
  })
})

describe('a value of a variable', () => {
  it('is anything but nothing, files and brands, up to a length', () => {
    const longest = 'x'.repeat(MAX_VALUE_LENGTH)
    const values = ['', 'a', 0, false, [], { a: null }, longest]
    expect(values.filter(canHold)).toEqual(values)
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
