import { describe, expect, it } from 'vitest'
import { Catalog, type Ports } from '@/graph/catalog'
import { findNode } from '@/graph/document'
import { portsOf } from '@/lib/agents/agent-ports'
import { SAMPLE, sampleFlow, sampleNode } from '@/test/flow-samples'
import { holdAt, lossesOf, outdatedNodes, portChanges, updateOf } from './agent-updates'

const AGENT = {
  ...(SAMPLE.types[0] as (typeof SAMPLE.types)[number]),
  id: 'agent',
  input: null,
  subflow: 'flow',
}
const BARE = new Catalog({ ...SAMPLE.data, types: [...SAMPLE.data.types, AGENT] })

function ports(inputs: Record<string, object>, results: string[] = ['write']): Ports {
  return portsOf({
    inputs: { properties: inputs },
    results: results.map((node) => ({ node, port: 'output', title: node, type: 'Text', list: false })),
  } as unknown as Parameters<typeof portsOf>[0])
}

const tone = {
  type: 'string',
  title: 'Tone',
  'x-setting': 'tone',
  'x-type': 'Text',
  'x-node': 'language_model',
}
const brief = { type: 'string', title: 'Brief', 'x-type': 'Text', 'x-node': 'user_prompt' }
const OLD = ports({ brief, 'write.tone': tone }, ['write', 'cut'])
const NEW = ports({ brief: { ...brief, title: 'What for' }, 'write.size': { ...tone, title: 'Size' } })
const CATALOG = BARE.withAgentPorts('f', ports({ brief }))
  .withAgentPorts('f@1', OLD)
  .withAgentPorts('f@2', NEW)
  .withNewest('f', 2)

const use = (id: string, settings: object) =>
  sampleNode(id, 'agent', { settings: { flow: 'f', ...settings } })
const FLOW = sampleFlow({
  nodes: [
    sampleNode('ask', 'user_prompt'),
    use('old', { version: 1, inputs: { brief: 'x', 'write.tone': 'calm' } }),
    use('other', { version: 1 }),
    use('held', { version: 2 }),
    use('follows', {}),
    sampleNode('write', 'language_model'),
  ],
  edges: [
    { from: 'ask.output', to: 'old.write.tone' },
    { from: 'ask.output', to: 'old.brief' },
    { from: 'old.cut', to: 'write.prompt' },
  ],
})

const update = (id: string, catalog = CATALOG) => {
  const node = findNode(FLOW, id)
  return node ? updateOf(node, catalog) : undefined
}

describe('an update', () => {
  it('is offered to a node that holds an older version, not to one that follows the newest', () => {
    expect(update('old')).toEqual({ flow: 'f', from: 1, to: 2 })
    expect(['held', 'follows', 'ask'].map((id) => update(id))).toEqual([null, null, null])
  })

  it('is not offered for an agent that the user cannot read, or that has no version', () => {
    expect(update('old', BARE)).toBeNull()
    expect(update('old', BARE.withNewest('f', null))).toBeNull()
  })

  it('holds all nodes of the agent that are behind, and no others', () => {
    const nodes = outdatedNodes(FLOW, CATALOG, { flow: 'f', from: 1, to: 2 })
    expect(nodes).toEqual(['old', 'other'])
    const updated = holdAt(FLOW, nodes, 2)
    expect(updated.nodes.map(({ settings }) => settings.version)).toEqual([
      undefined,
      2,
      2,
      2,
      undefined,
      undefined,
    ])
    expect(holdAt(updated, ['old'], null).nodes[1]?.settings).not.toHaveProperty('version')
    expect(updated.edges).toBe(FLOW.edges)
  })
})

it('gives a node the ports of the version that it holds', () => {
  const names = (id: string) => {
    const node = findNode(FLOW, id)
    return node && CATALOG.typeOf(node)?.agentInputs?.map(({ name }) => name)
  }
  expect(names('old')).toEqual(['brief', 'write.tone'])
  expect(names('held')).toEqual(['brief', 'write.size'])
  expect(names('follows')).toEqual(['brief'])
})

it('tells what a version adds, removes and changes', () => {
  expect(portChanges(OLD, NEW)).toEqual({
    added: ['Size'],
    removed: ['Tone', 'cut'],
    changed: ['What for'],
  })
  expect(portChanges(OLD, OLD)).toEqual({ added: [], removed: [], changed: [] })
})

it('tells which edges and values of a node have no place in a version', () => {
  expect(lossesOf(FLOW, 'old', NEW)).toEqual({
    edges: [
      { from: 'ask.output', to: 'old.write.tone' },
      { from: 'old.cut', to: 'write.prompt' },
    ],
    settings: ['write.tone'],
  })
  expect(lossesOf(FLOW, 'old', OLD)).toEqual({ edges: [], settings: [] })
})
