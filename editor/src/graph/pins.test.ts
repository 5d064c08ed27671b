import { describe, expect, it } from 'vitest'
import { SAMPLE, sampleFlow, sampleNode } from '@/test/flow-samples'
import { findNode } from './document'
import { setMode, setPin } from './edits/nodes'
import { canBypass, canPin, isStateNote, pinnedValues, pinOf, stateOf } from './pins'

const flow = sampleFlow()
const node = (id: string) => findNode(flow, id) ?? sampleNode(id, '')

describe('pins', () => {
  it('stores type, depth and value of each output', () => {
    const images = [{ $type: 'Image', asset_id: 'a' }]
    expect(pinOf(node('paint'), flow, SAMPLE, { output: images })).toEqual({
      outputs: { output: { type: 'Image', depth: 1, value: images } },
    })
    expect(pinOf(node('write'), flow, SAMPLE, { output: 'Hello' })).toEqual({
      outputs: { output: { type: 'Text', depth: 0, value: 'Hello' } },
    })
    expect(pinOf(node('write'), flow, SAMPLE, { other: 'Hello' })).toBeNull()
  })

  it('takes the depth of a list from its port when it is empty, and of data always', () => {
    expect(pinOf(node('paint'), flow, SAMPLE, { output: [] })?.outputs.output?.depth).toBe(1)
    const data = sampleFlow({ nodes: [sampleNode('colors', 'palette')], edges: [] })
    const found = pinOf(sampleNode('colors', 'palette'), data, SAMPLE, { output: ['#fff'] })
    expect(found?.outputs.output?.depth).toBe(0)
  })

  it('are for nodes that make something, and bypass for nodes with inputs', () => {
    expect([canPin(node('ask'), SAMPLE), canPin(node('paint'), SAMPLE)]).toEqual([false, true])
    expect([canBypass(node('ask'), SAMPLE), canBypass(node('paint'), SAMPLE)]).toEqual([false, true])
  })
})

describe('what a run does with a node', () => {
  it('is noted by a warning of its own', () => {
    expect(['disabled', 'bypassed', 'pinned', 'bad_setting', ''].filter(isStateNote)).toEqual([
      'disabled',
      'bypassed',
      'pinned',
    ])
  })

  it('with a pin is to give its values', () => {
    const outputs = {
      output: { type: 'Text', depth: 0, value: 'x' },
      tags: { type: 'Text', depth: 1, value: [] },
    }
    expect(pinnedValues({ outputs })).toEqual({ output: 'x', tags: [] })
  })

  it('is set and ended without leaving a key behind', () => {
    const pin = { outputs: { output: { type: 'Text', depth: 0, value: 'x' } } }
    const changed = setPin(setMode(flow, new Set(['write', 'paint']), 'bypassed'), 'animate', pin)
    const states = changed.nodes.map(stateOf)
    expect(states).toEqual([null, 'bypassed', 'bypassed', 'pinned'])
    const back = setPin(setMode(changed, new Set(['write', 'paint']), undefined), 'animate', undefined)
    expect(back).toEqual(flow)
    expect(setMode(flow, new Set(['write']), undefined)).toBe(flow)
  })
})

it('a pin stores how deep the lists of its values are, and the depth of a mapped node for data', () => {
  const lists = [[{ $type: 'Image', asset_id: 'a' }]]
  expect(pinOf(node('paint'), flow, SAMPLE, { output: lists })?.outputs.output?.depth).toBe(2)
  const mapped = sampleFlow({
    nodes: [sampleNode('paint', 'image_generation'), sampleNode('colors', 'palette')],
    edges: [{ from: 'paint.output', to: 'colors.image' }],
  })
  const colors = findNode(mapped, 'colors') ?? sampleNode('colors', '')
  expect(pinOf(colors, mapped, SAMPLE, { output: [{}] })?.outputs.output?.depth).toBe(1)
})

it('a node whose type is not installed can neither be bypassed nor pinned', () => {
  const lost = sampleNode('lost', 'lost')
  expect([canBypass(lost, SAMPLE), canPin(lost, SAMPLE), pinOf(lost, flow, SAMPLE, { output: 1 })]).toEqual([
    false,
    false,
    null,
  ])
})

it('the mode of a node comes before its pin', () => {
  const pin = { outputs: {} }
  expect([stateOf({ mode: 'disabled', pin }), stateOf({ pin }), stateOf({})]).toEqual([
    'disabled',
    'pinned',
    null,
  ])
})
