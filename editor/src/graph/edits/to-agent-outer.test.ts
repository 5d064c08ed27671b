import { describe, expect, it } from 'vitest'
import { Catalog } from '@/graph/catalog'
import { findNode } from '@/graph/document'
import {
  SAMPLE,
  sampleFlow,
  sampleNode,
  sampleNote,
  samplePort,
  sampleType,
  withNode,
} from '@/test/flow-samples'
import { CARD_SIZE } from '../card-size'
import { GAP } from './free-place'
import { type Extraction, isRefused, toAgent } from './to-agent'

const AGENT = sampleType('agent', { subflow: 'flow', version: 4 })
const SPLIT = sampleType('split', { outputs: [samplePort('left', 'Text'), samplePort('right', 'Text')] })
const CATALOG = new Catalog({ ...SAMPLE.data, types: [...SAMPLE.data.types, AGENT, SPLIT] })
const at = (x: number, y: number) => ({ position: { x, y } })

/** ask -> write -> paint, and write -> again. */
const FLOW = sampleFlow({
  nodes: [
    sampleNode('ask', 'user_prompt', at(-2000, 0)),
    sampleNode('write', 'language_model', at(0, 0)),
    sampleNode('paint', 'image_generation', at(100, 50)),
    sampleNode('again', 'language_model', at(2000, 0)),
  ],
  edges: [
    { from: 'ask.output', to: 'write.prompt' },
    { from: 'write.output', to: 'paint.prompt' },
    { from: 'write.output', to: 'again.prompt' },
  ],
})
const extract = (ids: string[], flow = FLOW) => toAgent(flow, CATALOG, new Set(ids), 'Part') as Extraction
const part = (ids: string[], flow = FLOW) => findNode(extract(ids, flow).outer('f1', null), 'Part')

describe('the node that runs the new agent', () => {
  it('holds a version, or follows the newest', () => {
    const { outer } = extract(['write', 'paint'])
    expect(findNode(outer('f1', null), 'Part')?.settings).toStrictEqual({ flow: 'f1' })
    expect(findNode(outer('f1', 2), 'Part')?.settings).toStrictEqual({ flow: 'f1', version: 2 })
    expect(findNode(outer('f1', null), 'Part')).toMatchObject({ type: 'agent', version: 4, title: 'Part' })
  })

  it('stands in the middle of the nodes that it replaces, and in their place in the document', () => {
    expect(part(['write', 'paint'])?.position).toEqual({ x: 50, y: 25 })
    const outer = extract(['write', 'paint']).outer('f1', null)
    expect(outer.nodes.map(({ id }) => id)).toEqual(['ask', 'Part', 'again'])
  })

  it('is above a node that stands in its place', () => {
    const covered = withNode(FLOW, 'again', at(50, 25))
    expect(part(['write', 'paint'], covered)?.position).toEqual({ x: 50, y: 25 - CARD_SIZE.height - GAP })
  })

  it('has its edges in place of theirs, and others stay', () => {
    expect(extract(['paint']).outer('f1', null).edges).toEqual([
      { from: 'ask.output', to: 'write.prompt' },
      { from: 'write.output', to: 'Part.Language_model' },
      { from: 'write.output', to: 'again.prompt' },
    ])
  })

  it.each([
    ['feeds others and one of them was a result', ['write', 'paint'], true],
    ['feeds others and none of them was a result', ['write'], undefined],
    ['feeds none', ['paint'], undefined],
  ])('that %s is marked as a result: %s', (_, ids, result) => {
    expect(part(ids)?.result).toBe(result)
  })

  it('names a result by its node, and by its output where the node has several', () => {
    const flow = sampleFlow({
      nodes: [
        sampleNode('cut', 'split'),
        sampleNode('write', 'language_model'),
        sampleNode('say', 'language_model'),
      ],
      edges: [
        { from: 'cut.right', to: 'say.prompt' },
        { from: 'write.output', to: 'say.system_prompt' },
      ],
    })
    expect(extract(['cut', 'write'], flow).outer('f1', null).edges).toEqual([
      { from: 'Part.cut.right', to: 'say.prompt' },
      { from: 'Part.write', to: 'say.system_prompt' },
    ])
  })
})

describe('results', () => {
  it('of the new agent are the outputs that other nodes use, also hidden ones', () => {
    expect(findNode(extract(['write']).inner, 'write')?.result).toBeUndefined()
    expect(
      findNode(extract(['write'], withNode(FLOW, 'write', { result: false })).inner, 'write')?.result,
    ).toBe(true)
    const hidden = withNode(FLOW, 'paint', { result: false })
    expect(findNode(extract(['write', 'paint'], hidden).inner, 'paint')?.result).toBe(false)
  })

  it.each([
    [undefined, true],
    [false, false],
  ])('include a node that only fed disabled nodes, unless it was hidden: %s becomes %s', (result, shown) => {
    const disabled = withNode(FLOW, 'write', { mode: 'disabled' })
    const flow = result === undefined ? disabled : withNode(disabled, 'ask', { result })
    expect(findNode(extract(['write'], flow).outer('f1', null), 'ask')?.result).toBe(shown)
    expect(findNode(extract(['write']).outer('f1', null), 'ask')?.result).toBeUndefined()
  })
})

describe('the new agent', () => {
  it('takes the chosen notes with it, in their distance from its nodes', () => {
    const notes = [sampleNote('mine', { position: { x: 30, y: 70 } }), sampleNote('other')]
    const noted = { ...FLOW, canvas: { notes } }
    const found = extract(['paint', 'mine'], noted)
    expect(found.inner.canvas?.notes).toEqual([{ ...notes[0], position: { x: -70, y: 20 } }])
    expect(found.outer('f1', null).canvas?.notes).toEqual([notes[1]])
    expect(extract(['paint'], noted).inner).not.toHaveProperty('canvas')
  })

  it('has an input of its own for each node that feeds it', () => {
    const two = {
      ...FLOW,
      nodes: [...FLOW.nodes, sampleNode('tell', 'user_prompt')],
      edges: [...FLOW.edges, { from: 'tell.output', to: 'write.system_prompt' }],
    }
    const { inner } = extract(['write'], two)
    expect(inner.nodes.map(({ id }) => id)).toEqual(['User_prompt', 'User_prompt_2', 'write'])
  })

  it('needs a node type that runs agents', () => {
    const refused = toAgent(FLOW, SAMPLE, new Set(['write']), 'Part')
    expect(refused).toEqual({ code: 'noAgentType' })
    expect([isRefused(refused), isRefused(extract(['write']))]).toEqual([true, false])
  })
})
