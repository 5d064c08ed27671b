import { describe, expect, it } from 'vitest'
import { SAMPLE, sampleAgentInput, sampleNode, samplePort, sampleType } from '@/test/flow-samples'
import type { NodeType } from './catalog'
import {
  describePort,
  drivenSettings,
  hasSamePorts,
  inputPorts,
  lostOutputs,
  mapPlaceholders,
  outputPorts,
  settingNames,
  settingPort,
  settingPorts,
  settingValue,
  sourcePort,
  targetPort,
  typeOfSchema,
  variablesIn,
} from './ports'

const asset = { asset_id: { type: 'string' }, media_type: { default: 'video/mp4' } }

describe('typeOfSchema', () => {
  it.each([
    [{ type: 'object', 'x-type': 'Verse' }, 'Verse', 0],
    [{ 'x-type': 'Verse', anyOf: [{ 'x-type': 'Line' }, { type: 'null' }] }, 'Verse', 0],
    [{ anyOf: [{ 'x-type': 'Line' }, { type: 'null' }] }, 'Line', 0],
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
    expect(describePort({ type: 'w.Chapter', list: false }, true)).toBe('Chapter (w)')
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

describe('placeholders', () => {
  it.each([
    ['A {{tone}} text for {{ brand }}, {{tone}}', ['tone', 'brand']],
    ['{{tone|calm}} and {{größe_2 | 3}}', ['tone', 'größe_2']],
    ['{tone} {{2nd}} {{}}', []],
    ['', []],
    [7, []],
    [null, []],
  ])('in %j are %j', (text, names) => expect(variablesIn(text)).toEqual(names))

  it('are replaced with their fallback at hand, or kept', () => {
    const seen: [string, string | undefined][] = []
    const text = mapPlaceholders('{{a}}, {{ b | x|y }}, {{c|}}', (name, fallback) => {
      seen.push([name, fallback])
      return name === 'c' ? null : name.toUpperCase()
    })
    expect(text).toBe('A, B, {{c|}}')
    expect(seen).toEqual([
      ['a', undefined],
      ['b', 'x|y'],
      ['c', ''],
    ])
  })
})

describe('the ports of a revision of a node', () => {
  const type = SAMPLE.type('language_model') as NodeType
  const node = (prompt: string) =>
    sampleNode('write', 'language_model', { settings: { system_prompt: prompt } })
  const plain = { help: '', type: 'Text', list: false, depth: 0, lazy: false }

  it('are those of its type, then one for each variable that is no port', () => {
    const ports = inputPorts(node('{{tone}}, {{prompt}}, {{tone}}'), type)
    expect(ports).toEqual([
      { ...plain, name: 'prompt', title: 'Prompt', required: true, kind: 'port' },
      { ...plain, name: 'brand', title: 'Brand', type: 'Brand', required: false, kind: 'port' },
      { ...plain, name: 'tone', title: 'tone', required: false, kind: 'variable' },
    ])
  })

  it('are computed once, and again for another type', () => {
    const one = node('{{tone}}')
    expect(inputPorts(one, type)).toBe(inputPorts(one, type))
    expect(inputPorts(one, { ...type, inputs: [], variables: [] })).toEqual([])
    expect(inputPorts(one, undefined)).toEqual([])
    expect(outputPorts(one, undefined)).toEqual([])
  })

  it('have the name of a port without a title, and the properties that are declared', () => {
    const declared = {
      name: 'in',
      title: '',
      help: 'It.',
      type: 'Any',
      list: true,
      depth: 2,
      lazy: true,
      required: true,
    }
    const [input] = inputPorts(node(''), { ...type, inputs: [declared] })
    expect(input).toEqual({ ...declared, title: 'in', kind: 'port' })
    const list = samplePort('in', 'Any', { list: true })
    expect(inputPorts(node(''), { ...type, inputs: [list] })[0]).toMatchObject({ depth: 1, lazy: false })
  })

  it.each([
    ['other settings', node('{{tone}} words'), true],
    ['another variable', node('{{mood}}'), false],
    ['one more variable', node('{{tone}} {{mood}}'), false],
    ['no variable', node(''), false],
    ['another type', sampleNode('write', 'palette'), false],
  ])('are compared with those of a revision with %s', (_, other, same) => {
    expect(hasSamePorts(node('{{tone}}'), other, SAMPLE)).toBe(same)
  })

  it('are found by name: a setting is an end of edges too, but no source', () => {
    const write = node('')
    expect(targetPort(write, type, 'prompt')).toMatchObject({ kind: 'port', required: true })
    expect(targetPort(write, type, 'model')).toEqual({
      ...plain,
      name: 'model',
      title: 'model',
      required: false,
      kind: 'setting',
    })
    expect(targetPort(write, type, 'missing')).toBeUndefined()
    expect(sourcePort(write, type, 'output')?.name).toBe('output')
    expect(sourcePort(write, type, 'model')).toBeUndefined()
    const helped = { ...type, settings: { properties: { model: { title: 'Model', description: 'Which.' } } } }
    expect(settingPort(helped, 'model')).toMatchObject({ title: 'Model', help: 'Which.' })
    expect(settingPort(undefined, 'model')).toBeUndefined()
  })
})

describe('the settings of a node that runs an agent', () => {
  const input = (name: string, isSetting: boolean) => sampleAgentInput(name, { type: 'Number', isSetting })
  const agent = sampleType('agent', {
    subflow: 'flow',
    inputs: [samplePort('brief', 'Text')],
    settings: { properties: { flow: { type: 'string' } } },
    agentInputs: [input('brief', false), input('paint.size', true), input('paint.count', true)],
  })
  const run = sampleNode('run', 'agent')

  it('are those that the agent offers', () => {
    expect(settingPorts(run, agent).map(({ name }) => name)).toEqual(['paint.size', 'paint.count'])
    expect(settingPorts(run, { ...agent, agentInputs: undefined })).toEqual([])
    expect(settingPorts(run, undefined)).toEqual([])
    expect(settingPort(agent, 'paint.count')).toMatchObject({
      name: 'paint.count',
      type: 'Number',
      kind: 'setting',
    })
    expect(settingPort(agent, 'brief')).toBeUndefined()
  })

  it('are shown while an edge drives them, also one that the agent no longer has', () => {
    const edges = ['brief', 'paint.count', 'gone'].map((name) => ({ from: 'n.output', to: `run.${name}` }))
    const driven = drivenSettings(run, agent, edges)
    expect(driven.map(({ name, type, kind }) => [name, type, kind])).toEqual([
      ['paint.count', 'Number', 'setting'],
      ['gone', 'Any', 'setting'],
    ])
    expect(settingNames([...inputPorts(run, agent), ...driven])).toEqual(['paint.count', 'gone'])
    const plain = { ...agent, agentInputs: undefined }
    expect(drivenSettings(run, plain, edges)).toEqual([])
  })
})
