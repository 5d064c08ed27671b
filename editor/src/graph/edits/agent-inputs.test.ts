import { expect, it } from 'vitest'
import { findNode } from '@/graph/document'
import { sampleFlow, sampleNode } from '@/test/flow-samples'
import { setAgentValue } from './agent-inputs'

const FLOW = sampleFlow({ nodes: [sampleNode('use', 'agent', { settings: { flow: 'f1' } })], edges: [] })
const settings = (flow: typeof FLOW) => findNode(flow, 'use')?.settings

it('sets and removes values of an agent by name; without any, the node has none', () => {
  const loud = setAgentValue(FLOW, 'use', 'write.tone', 'loud')
  const both = setAgentValue(loud, 'use', 'brief', 'A jug')
  expect(settings(both)).toEqual({ flow: 'f1', inputs: { 'write.tone': 'loud', brief: 'A jug' } })
  const one = setAgentValue(both, 'use', 'brief', undefined)
  expect(settings(one)).toEqual({ flow: 'f1', inputs: { 'write.tone': 'loud' } })
  expect(settings(setAgentValue(one, 'use', 'write.tone', undefined))).toEqual({ flow: 'f1' })
})

it('leaves the document alone if nothing changes', () => {
  expect(setAgentValue(FLOW, 'use', 'brief', undefined)).toBe(FLOW)
})
