import { expect, it } from 'vitest'
import { SAMPLE, sampleAgentInput, sampleFlow, sampleNode, sampleType } from '@/test/flow-samples'
import { type AgentInput, Catalog } from './catalog'
import { comparableFields, valueIn, withValue } from './comparable'

const input = (name: string, label: string, more: Partial<AgentInput> = {}) =>
  sampleAgentInput(name, {
    ...{ label, title: `${name}: ${label}`, typeId: 'language_model', setting: 'tone' },
    schema: { type: 'string', default: 'calm' },
    ...more,
  })
const agent = sampleType('agent', {
  settings: {
    type: 'object',
    properties: { flow: { type: 'string', title: 'Agent' }, inputs: { type: 'object', title: 'Inputs' } },
  },
  agentInputs: [
    input('write.tone', 'Tone', { required: true }),
    input('say.tone', 'Tone'),
    input('brief', 'Brief'),
  ],
})
const CATALOG = new Catalog({ ...SAMPLE.data, types: [...SAMPLE.data.types, agent] })
const run = sampleNode('run', 'agent', { settings: { flow: 'f1', inputs: { 'say.tone': 'loud' } } })
const flow = sampleFlow({
  nodes: [run, sampleNode('write', 'language_model')],
  edges: [
    { from: 'ask.output', to: 'run.brief' },
    { from: 'ask.output', to: 'write.model' },
  ],
})
const fields = comparableFields(run, flow, CATALOG)
const field = (name: string) => {
  const found = fields.find((one) => one.name === name)
  if (!found) throw new Error(`${name} cannot be compared`)
  return found
}

it('compares the settings of a node, and those of the agent that it runs', () => {
  expect(
    fields.map(({ name, title, typeId, setting, inner }) => [name, title, typeId, setting, inner]),
  ).toEqual([
    ['flow', 'Agent', 'agent', 'flow', null],
    ['inputs.write.tone', 'write.tone: Tone', 'language_model', 'tone', 'write.tone'],
    ['inputs.say.tone', 'say.tone: Tone', 'language_model', 'tone', 'say.tone'],
  ])
  expect(field('inputs.write.tone')).toMatchObject({
    schema: { type: 'string', default: 'calm' },
    ...{ advanced: false, main: false, group: null, required: true },
  })
  expect(field('inputs.say.tone').required).toBe(false)
})

it('leaves out what an edge sets, unless it is asked for', () => {
  const names = (node: typeof run, more?: { fed: boolean }) =>
    comparableFields(node, flow, CATALOG, more).map(({ name }) => name)
  expect(names(run, { fed: true })).toContain('inputs.brief')
  const write = flow.nodes[1] as typeof run
  expect(names(write)).toEqual(['system_prompt'])
  expect(names(write, { fed: true })).toEqual(['system_prompt', 'model'])
})

it('compares nothing of a node whose type is not installed', () => {
  expect(comparableFields(sampleNode('lost', 'lost'), flow, CATALOG)).toEqual([])
})

it('compares the setting `inputs` of a node that runs no agent', () => {
  const { agentInputs: _, ...plain } = agent
  const catalog = new Catalog({ ...SAMPLE.data, types: [plain] })
  expect(comparableFields(run, flow, catalog).map(({ name }) => name)).toEqual(['flow', 'inputs'])
})

it('reads the value of a setting, or its default', () => {
  expect(valueIn(run.settings, field('flow'))).toBe('f1')
  expect(valueIn({}, field('flow'))).toBeUndefined()
  expect(valueIn(run.settings, field('inputs.say.tone'))).toBe('loud')
  expect(valueIn(run.settings, field('inputs.write.tone'))).toBe('calm')
  expect(valueIn({ inputs: 'none' }, field('inputs.write.tone'))).toBe('calm')
})

it('sets and removes values, and removes `inputs` with its last value', () => {
  const tone = field('inputs.say.tone')
  expect(withValue(run.settings, field('flow'), 'f2')).toEqual({ ...run.settings, flow: 'f2' })
  expect(withValue(run.settings, field('flow'), undefined)).toEqual({ inputs: { 'say.tone': 'loud' } })
  expect(withValue({}, tone, 'soft')).toEqual({ inputs: { 'say.tone': 'soft' } })
  expect(withValue(run.settings, field('inputs.write.tone'), 'soft')).toEqual({
    flow: 'f1',
    inputs: { 'say.tone': 'loud', 'write.tone': 'soft' },
  })
  expect(withValue(run.settings, tone, undefined)).toEqual({ flow: 'f1' })
})
