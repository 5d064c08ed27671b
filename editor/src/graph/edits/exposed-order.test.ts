import { expect, it } from 'vitest'
import { Catalog } from '@/graph/catalog'
import { SAMPLE, sampleAgentInput, sampleFlow, sampleNode, sampleType } from '@/test/flow-samples'
import { findNode } from '../document'
import { offeredSettings, orderSettings } from './exposed-order'

const flow = sampleFlow({
  nodes: [
    sampleNode('ask', 'user_prompt', { exposed: { text: {} } }),
    sampleNode('write', 'language_model', { exposed: { model: { order: 1 }, system_prompt: { order: 0 } } }),
    sampleNode('paint', 'image_generation', { title: 'Hero', exposed: { n_images: {} } }),
  ],
})
const order = (document: typeof flow) => offeredSettings(document, SAMPLE).map(({ setting }) => setting)

it('lists settings by their place in the form, then those without one in the order of the nodes', () => {
  expect(order(flow)).toEqual(['system_prompt', 'model', 'text', 'n_images'])
  expect(offeredSettings(flow, SAMPLE)[3]).toMatchObject({
    node: 'paint',
    nodeTitle: 'Hero',
    title: 'N images',
  })
})

it('gives settings their places in the form, and leaves nodes alone whose settings keep theirs', () => {
  const places = ['system_prompt', 'model'].map((setting) => ({ node: 'write', setting }))
  const moved = orderSettings(flow, [...places, { node: 'paint', setting: 'n_images' }])
  expect(order(moved)).toEqual(['system_prompt', 'model', 'n_images', 'text'])
  for (const id of ['ask', 'write']) expect(findNode(moved, id)).toBe(findNode(flow, id))
  expect(findNode(moved, 'paint')?.exposed).toEqual({ n_images: { order: 2 } })
  expect(order(orderSettings(flow, places.toReversed()))).toEqual([
    'model',
    'system_prompt',
    'text',
    'n_images',
  ])
})

it('names a setting by the agent that has it, by its type, or by its own name', () => {
  const agent = sampleType('agent', {
    agentInputs: [sampleAgentInput('other'), sampleAgentInput('tone', { title: 'Inner tone' })],
    settings: { properties: { tone: { title: 'Tone' }, size: { title: 'Size' }, line_height: {} } },
  })
  const catalog = new Catalog({ ...SAMPLE.data, types: [agent] })
  const exposed = { tone: {}, size: {}, line_height: {} }
  const document = sampleFlow({
    nodes: [sampleNode('run', 'agent', { exposed }), sampleNode('lost', 'lost', { exposed })],
  })
  expect(offeredSettings(document, catalog).map(({ title }) => title)).toEqual([
    ...['Inner tone', 'Size', 'Line height'],
    ...['Tone', 'Size', 'Line height'],
  ])
})
