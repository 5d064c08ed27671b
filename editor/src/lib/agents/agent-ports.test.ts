import { expect, it } from 'vitest'
import { portsOf } from './agent-ports'

const results = (...ports: [node: string, port: string][]) =>
  ports.map(([node, port]) => ({ node, port, title: node, type: 'Text', list: false }))

const names = (...ports: [node: string, port: string][]) =>
  portsOf({ inputs: {}, results: results(...ports) } as Parameters<typeof portsOf>[0]).outputs.map(
    ({ name }) => name,
  )

it('names an output by its node, and by its port too where the node has several', () => {
  expect(names(['write', 'output'], ['split', 'left'], ['split', 'right'])).toEqual([
    'write',
    'split.left',
    'split.right',
  ])
})

it('names the results of an agent inside the agent as that agent names them', () => {
  expect(names(['teaser/say', 'output'], ['write', 'output'])).toEqual(['teaser', 'write'])
  expect(names(['teaser/say', 'output'], ['teaser/cut/left', 'a'], ['teaser/cut/left', 'b'])).toEqual([
    'teaser.say',
    'teaser.cut.left.a',
    'teaser.cut.left.b',
  ])
})

it('takes input nodes at ports, and settings that the agent offers with the form of their own node', () => {
  const exposed = { 'x-node': 'language_model', 'x-group': 'Write', 'x-setting': 'tone', 'x-type': 'Text' }
  const ports = portsOf({
    inputs: {
      properties: {
        brief: { type: 'string', title: 'Brief', 'x-node': 'user_prompt', 'x-type': 'Text' },
        'write.tone': { type: 'string', title: 'Voice', enum: ['calm', 'loud'], default: 'calm', ...exposed },
      },
      required: ['brief'],
    },
    results: [],
  })
  expect(ports.inputs.map(({ name, required }) => [name, required])).toEqual([['brief', true]])
  const [, tone] = ports.agentInputs ?? []
  expect(tone).toMatchObject({
    name: 'write.tone',
    label: 'Voice',
    title: 'Write: Voice',
    typeId: 'language_model',
    setting: 'tone',
    isSetting: true,
  })
  expect(tone?.schema).toMatchObject({ enum: ['calm', 'loud'], default: 'calm' })
})
