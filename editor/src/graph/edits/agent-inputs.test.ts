import { expect, it } from 'vitest'
import { findNode } from '@/graph/document'
import { sampleAgentInput, sampleFlow, sampleNode } from '@/test/flow-samples'
import { setAgentValue, titlesOf } from './agent-inputs'

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

it('names inputs by their labels, and those of one label by their titles', () => {
  const input = (name: string, label: string, title: string) => sampleAgentInput(name, { label, title })
  const inputs = [
    input('paint.prompt', 'Prompt', 'Paint: Prompt'),
    input('tone', 'Tone', 'Tone of voice'),
    input('write.prompt', 'Prompt', 'Write: Prompt'),
  ]
  expect([...titlesOf(inputs)]).toEqual([
    ['paint.prompt', 'Paint: Prompt'],
    ['tone', 'Tone'],
    ['write.prompt', 'Write: Prompt'],
  ])
})

it('changes nothing for a node that is not there', () => {
  const flow = sampleFlow()
  expect(setAgentValue(flow, 'missing', 'tone', 'calm')).toBe(flow)
})
