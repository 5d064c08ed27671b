import { describe, expect, it } from 'vitest'
import {
  type ApiNode,
  type ApiWorkflow,
  endsOf,
  fieldsOf,
  freePort,
  inputAt,
  kindOf,
  kindsOf,
  MAX_BYTES,
  parseExport,
  readWorkflow,
  titleOfNode,
  withChanged,
  withInput,
  withNodes,
  withOutput,
  withoutInput,
  withoutOutput,
} from './api-workflow'

const node = (class_type: string, inputs: Record<string, unknown> = {}, title?: string): ApiNode => ({
  class_type,
  inputs,
  ...(title && { _meta: { title } }),
})
const NODES = {
  1: node('CLIPTextEncode', { text: 'a jug', clip: ['4', 1] }, 'Prompt'),
  2: node('KSampler', { seed: 7, cfg: 1.5, positive: ['1', 0] }),
  3: node('SaveImage', { images: ['2', 0] }),
  4: node('LoadClip', { clip_name: 'clip' }),
}
const bare: ApiWorkflow = { nodes: NODES, inputs: [], outputs: [] }
const full = withOutput(withInput(withInput(bare, '1', 'text'), '2', 'seed'), '3')
const exportOf = (value: unknown) => parseExport(JSON.stringify(value))

describe('an export', () => {
  it('has its nodes with class, inputs and title only, also inside a request', () => {
    expect(exportOf(NODES)).toEqual({ nodes: NODES })
    expect(exportOf({ prompt: NODES, client_id: 'x' })).toEqual({ nodes: NODES })
    const noted = { 1: { ...node('A'), is_changed: true, _meta: { title: 4 } } }
    expect(exportOf(noted)).toEqual({ nodes: { 1: node('A') } })
  })

  it.each([
    ['{', 'notJson'],
    ['[]', 'notApi'],
    ['null', 'notApi'],
    ['{}', 'empty'],
    ['{"nodes": []}', 'notApi'],
    ['{"1": {"class_type": "A"}}', 'notApi'],
    ['{"1": {"class_type": 1, "inputs": {}}}', 'notApi'],
    ['{"1": {"class_type": "A", "inputs": []}}', 'notApi'],
  ])('that is %s is refused as %s', (text, fault) => {
    expect(parseExport(text)).toEqual({ fault })
  })

  it('may have 500 kB and 500 nodes', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [at, node('A')]))
    expect('nodes' in exportOf(many(500))).toBe(true)
    expect(exportOf(many(501))).toEqual({ fault: 'tooLarge' })
    expect(MAX_BYTES).toBe(500_000)
    const text = JSON.stringify(NODES)
    expect('nodes' in parseExport(text.padEnd(500_000))).toBe(true)
    // Bytes count, not characters.
    expect(parseExport(`${text.padEnd(499_999)}é`)).toEqual({ fault: 'tooLarge' })
  })
})

describe('a workflow', () => {
  it('is read back from the setting, and empty without one; any other value is none', () => {
    expect(readWorkflow(JSON.parse(JSON.stringify(full)))).toEqual(full)
    expect(readWorkflow({ nodes: NODES })).toEqual(bare)
    for (const value of [undefined, null]) expect(readWorkflow(value)?.nodes).toEqual({})
    const { port: _, ...unplaced } = full.inputs[0] as (typeof full.inputs)[number]
    for (const value of [
      7,
      {},
      { nodes: { 1: {} } },
      { ...full, inputs: [unplaced] },
      { ...full, outputs: 1 },
    ])
      expect(readWorkflow(value)).toBeNull()
  })

  it('has fields with a value of their own as inputs of the likeliest kind, and each once', () => {
    expect(full.inputs).toEqual([
      { port: 'text_1', name: 'Prompt', node: '1', field: 'text' },
      { port: 'integer_1', name: 'Seed', node: '2', field: 'seed' },
    ])
    expect(inputAt(full, '2', 'seed')).toBe(full.inputs[1])
    expect(inputAt(full, '1', 'seed')).toBeUndefined()
    expect(withInput(full, '2', 'seed')).toBe(full)
    expect(withInput(full, 'missing', 'seed')).toBe(full)
    expect(fieldsOf(NODES[1])).toEqual([['text', 'a jug']])
    expect(withoutInput(full, full.inputs[0] as (typeof full.inputs)[number]).inputs).toEqual([
      full.inputs[1],
    ])
  })

  it.each([
    [node('KSampler', { x: 7 }), ['integer', 'number']],
    [node('KSampler', { x: 0.5 }), ['number', 'integer']],
    [node('LoadImage', { image: 'a.png' }), ['image', 'text']],
    [node('VHS_LoadVideo', { video: 'a.mp4' }), ['video', 'text']],
    [node('LoadAudio', { audio: 'a.mp3' }), ['audio', 'text']],
    [node('LoadImage', { channel: 'red' }), ['text', 'image', 'video', 'audio']],
    [node('Prompt', { text: 'a' }), ['text', 'image', 'video', 'audio']],
  ])('has the kinds of input that fit %o', (one, kinds) => {
    expect(kindsOf(one, Object.keys(one.inputs)[0] as string)).toEqual(kinds)
  })

  it('takes the next kind where all ports of the first are used, and no more inputs than ports', () => {
    const names = Array.from({ length: 13 }, (_, at) => `n${at}`)
    const nodes = { 1: node('A', Object.fromEntries(names.map((name) => [name, 1]))) }
    const filled = names.reduce<ApiWorkflow>((one, name) => withInput(one, '1', name), { ...bare, nodes })
    const ports = filled.inputs.map(({ port }) => port)
    expect(ports.slice(5, 7)).toEqual(['integer_6', 'number_1'])
    expect(ports).toHaveLength(12)
    expect(freePort(filled, 'integer')).toBeUndefined()
    expect(kindOf('integer_6')).toBe('integer')
  })

  it('has outputs by the class of their node, with names of their own', () => {
    const nodes = {
      1: node('SaveAudio'),
      2: node('SaveWEBM'),
      3: node('SaveImage'),
      4: node('SaveImage'),
      5: node('SaveImage'),
    }
    const done = ['1', '2', '3', '4', '5', 'missing'].reduce<ApiWorkflow>(withOutput, { ...bare, nodes })
    expect(done.outputs.map(({ port, name }) => [port, name])).toEqual([
      ['audios_1', 'SaveAudio'],
      ['videos_1', 'SaveWEBM'],
      ['images_1', 'SaveImage'],
      ['images_2', 'SaveImage 2'],
      ['images_3', 'SaveImage 3'],
    ])
    const [first] = done.outputs
    const renamed = first && withChanged(done, first, { name: 'Sound' })
    expect(renamed?.outputs.map(({ name }) => name)).toEqual([
      'Sound',
      ...done.outputs.slice(1).map(({ name }) => name),
    ])
    expect(first && withoutOutput(done, first).outputs).toEqual(done.outputs.slice(1))
  })

  it('keeps inputs and outputs that another export still has; else its saving ends are the outputs', () => {
    const linked = { ...NODES, 2: node('KSampler', { seed: ['1', 0], positive: ['1', 0] }) }
    const next = withNodes(full, linked)
    expect(next.inputs).toEqual([full.inputs[0]])
    expect(next.outputs).toEqual(full.outputs)
    const { 3: _, ...others } = NODES
    const ends = {
      ...others,
      8: node('VideoCombine', { images: ['2', 0] }),
      9: node('PreviewImage', { images: ['2', 0] }),
    }
    expect(endsOf(ends)).toEqual(['8', '9'])
    expect(withNodes(full, ends).outputs).toEqual([{ port: 'videos_1', name: 'VideoCombine', node: '8' }])
  })

  it('has the title of a node, or its class', () => {
    expect([titleOfNode(NODES[1]), titleOfNode(NODES[2]), titleOfNode(node('A', {}, ' '))]).toEqual([
      'Prompt',
      'KSampler',
      'A',
    ])
  })
})
