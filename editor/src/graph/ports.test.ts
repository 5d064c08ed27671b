import { describe, expect, it } from 'vitest'
import { SAMPLE, sampleNode } from '@/test/flow-samples'
import type { NodeType } from './catalog'
import { describePort, drivenSettings, lostOutputs, outputPorts, settingValue, typeOfSchema } from './ports'

const asset = { asset_id: { type: 'string' }, media_type: { default: 'video/mp4' } }

describe('typeOfSchema', () => {
  it.each([
    [{ type: 'object', 'x-type': 'Verse' }, 'Verse', 0],
    [{ type: 'array', 'x-type': 'list[list[Text]]' }, 'Text', 2],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'Text', 0],
    [{ type: 'array', items: { type: 'array', items: { type: 'integer' } } }, 'Integer', 2],
    [{ type: 'object', title: 'Trailer', properties: asset }, 'Video', 0],
    [{ type: 'object', title: 'Image' }, 'Image', 0],
    [{ type: 'array' }, 'Json', 0],
    [{ type: 'boolean' }, 'Boolean', 0],
    [{ type: ['number', 'null'] }, 'Number', 0],
    [{ type: ['number', 'string'] }, 'Any', 0],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] }, 'Any', 0],
    [{ enum: ['a', 'b'] }, 'Text', 0],
    [{ enum: ['a'] }, 'Text', 0],
    [{ enum: [1, 2] }, 'Number', 0],
    [{ enum: [1] }, 'Number', 0],
    [{ enum: [1, 'b'] }, 'Any', 0],
    [{ enum: [] }, 'Any', 0],
    [{}, 'Any', 0],
  ])('reads the type of an edge into %j: %s, list depth %i', (schema, type, depth) => {
    expect(typeOfSchema(schema)).toEqual({ type, list: depth > 0, depth })
  })
})

describe('the ports of a node', () => {
  const node = sampleNode('write', 'language_model', { settings: { model: 'b' } })
  const type = SAMPLE.typeOf(node)
  const edges = [
    { from: 'ask.output', to: 'write.prompt' },
    { from: 'ask.output', to: 'write.model' },
    { from: 'ask.output', to: 'other.model' },
    { from: 'write.output', to: 'paint.prompt' },
    { from: 'write.output', to: 'other.prompt' },
  ]

  it('include the settings that an edge drives', () => {
    expect(drivenSettings(node, type, edges).map(({ name, type: kind }) => [name, kind])).toEqual([
      ['model', 'Text'],
    ])
  })

  it('come from its edges if its type is not installed', () => {
    expect(drivenSettings(node, undefined, edges).map(({ name, type: kind }) => [name, kind])).toEqual([
      ['prompt', 'Any'],
      ['model', 'Any'],
    ])
    expect(lostOutputs(node, edges).map(({ name }) => name)).toEqual(['output'])
  })

  it('show the value of a setting, or its default', () => {
    if (!type) throw new Error('the sample has no such type')
    expect(settingValue(node, type, 'model')).toBe('b')
    expect(settingValue({ ...node, settings: {} }, type, 'model')).toBe('a')
    expect(settingValue(node, type, 'missing')).toBeUndefined()
  })

  it('are described by the name of their type, with its package only where it is asked for', () => {
    const port = { type: 'wt.Chapter', list: false }
    expect([describePort(port), describePort(port, true)]).toEqual(['Chapter', 'Chapter (wt)'])
    expect(describePort({ type: 'Image', list: false }, true)).toBe('Image')
  })
})

describe('outputs of list items', () => {
  const item = (name: string) => ({ name, title: name, help: '', type: 'Any', list: false, item_of: 'cases' })
  const type = {
    ...(SAMPLE.type('palette') as NodeType),
    outputs: [item('case_1'), item('case_2'), { ...item('otherwise'), item_of: null }],
  }
  const node = (cases: unknown) => ({
    id: 'part',
    type: 'palette',
    version: 1,
    settings: { cases },
    position: { x: 0, y: 0 },
  })

  it('are shown in the order of the items and under their names, others always', () => {
    const ports = outputPorts(
      node([
        { port: 'case_2', name: 'Sale' },
        { port: 'case_1', name: ' ' },
        { port: 'case_2', name: 'Again' },
        { port: 'case_9', name: 'Unknown' },
      ]),
      type,
    )
    expect(ports.map((port) => [port.name, port.title])).toEqual([
      ['case_2', 'Sale'],
      ['case_1', 'case_1'],
      ['otherwise', 'otherwise'],
    ])
    expect(outputPorts(node('none'), type).map((port) => port.name)).toEqual(['otherwise'])
  })
})
