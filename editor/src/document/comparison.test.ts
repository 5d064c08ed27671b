// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest'
import { comparableFields, valueIn, withValue } from '@/graph/comparable'
import { findNode } from '@/graph/document'
import { setMode, setPin } from '@/graph/edits/nodes'
import { emptyRun } from '@/lib/run/reduce'
import { emptyStep } from '@/lib/run/step'
import { SAMPLE, sampleFlow, sampleNode } from '@/test/flow-samples'
import {
  comparisonRefusal,
  draftOf,
  fieldsToCompare,
  keepVariant,
  sameVariants,
  variantsOf,
} from './comparison'
import { keepAsNodes } from './comparison-nodes'
import { createFlowStore } from './flow-store'
import type { OpenRun, RunBackend } from './runner'
import { Runner } from './runner'
import type { Session } from './session'
import { createViewStore } from './view-store'

const WRITE = sampleNode('write', 'language_model', { settings: { model: 'a', system_prompt: 'Be kind.' } })
const FLOW = sampleFlow({
  nodes: [sampleNode('ask', 'user_prompt'), WRITE],
  edges: [{ from: 'ask.output', to: 'write.prompt' }],
})

function sessionWith(document = FLOW) {
  const flow = createFlowStore(document)
  const view = createViewStore({ catalog: SAMPLE })
  const backend = {} as RunBackend
  const [runner, comparer] = [new Runner(backend), new Runner(backend)]
  const edit = vi.fn((change: Parameters<typeof flow.edit>[0]) => flow.edit(change))
  const session = { flow, view, runner, comparer, edit, catalog: SAMPLE, canEdit: true }
  return Object.defineProperty(session, 'document', { get: () => flow.document }) as unknown as Session
}

/** A comparison of `write` that has ended, whose second step has another model. */
function compared(session: Session) {
  const other = { ...WRITE, id: 'write_2', settings: { ...WRITE.settings, model: 'b' } }
  const run = {
    ...{ id: 'r1', number: 1, version: 'draft', inputs: {}, status: 'finished', last_seq: 9 },
    ...{ started_at: null, finished_at: null, seconds: null, cost_usd: '0', steps: [] },
    flow: { ...FLOW, nodes: [...FLOW.nodes, other] },
    comparison: { node: 'write', title: 'Write', steps: ['write', 'write_2'], cancelled: [] },
  } as OpenRun
  session.comparer.store.setState({ run })
  const finished = (id: string, text: string) => ({
    ...emptyStep(id),
    status: 'finished' as const,
    outputs: { output: text },
  })
  const steps = [finished('ask', 'Plums'), finished('write', 'One'), finished('write_2', 'Two')]
  session.comparer.live.reset({
    ...emptyRun(),
    status: 'finished',
    order: steps.map(({ id }) => id),
    steps: Object.fromEntries(steps.map((step) => [step.id, step])),
  })
}

describe('what can be compared', () => {
  const refusalOf = (document: typeof FLOW, id = 'write') => {
    const session = sessionWith(document)
    const node = findNode(session.document, id)
    return node && comparisonRefusal(session, node)
  }
  const ids = new Set(['write'])
  const pin = { outputs: { output: { type: 'Text', depth: 0, value: 'x' } } }

  it.each([
    ['a node with settings', null, refusalOf(FLOW)],
    ['an input', 'input', refusalOf(FLOW, 'ask')],
    ['a disabled node', 'disabled', refusalOf(setMode(FLOW, ids, 'disabled'))],
    ['a bypassed node', 'bypassed', refusalOf(setMode(FLOW, ids, 'bypassed'))],
    ['a pinned node', 'pinned', refusalOf(setPin(FLOW, 'write', pin))],
    [
      'a node without settings',
      'settings',
      refusalOf(sampleFlow({ nodes: [sampleNode('write', 'palette')] })),
    ],
    ['an unknown type', 'missing', refusalOf(sampleFlow({ nodes: [sampleNode('write', 'gone')] }))],
  ])('%s: %s', (_, expected, found) => expect(found).toBe(expected))

  it('leaves out settings that an edge sets', () => {
    const driven = { ...FLOW, edges: [...FLOW.edges, { from: 'ask.output', to: 'write.model' }] }
    const session = sessionWith(driven)
    expect(fieldsToCompare(session, WRITE).map(({ name }) => name)).toEqual(['system_prompt'])
    expect(draftOf(session, WRITE).settings).toEqual(['system_prompt'])
  })
})

describe('variants', () => {
  it('have the settings of the node but those that they change', () => {
    const session = sessionWith()
    const fields = fieldsToCompare(session, WRITE)
    const draft = {
      settings: ['model'],
      variants: [{ model: 'b', system_prompt: 'Not compared.' }, { model: undefined }, {}],
    }
    expect(variantsOf(WRITE, fields, draft)).toEqual([
      { model: 'b', system_prompt: 'Be kind.' },
      { system_prompt: 'Be kind.' },
      { model: 'a', system_prompt: 'Be kind.' },
    ])
  })

  it('with equal values are found', () => {
    expect([...sameVariants([['a'], ['b'], ['a'], ['b']])]).toEqual([
      [2, 0],
      [3, 1],
    ])
  })
})

describe('keeping', () => {
  it('puts the settings on the node in one undo step, and the result on its card', () => {
    const session = sessionWith()
    compared(session)
    expect(keepVariant(session, 'write_2')).toBe(true)
    expect(findNode(session.document, 'write')?.settings).toEqual({ model: 'b', system_prompt: 'Be kind.' })
    expect(session.runner.live.getState().steps.write?.outputs).toEqual({ output: 'Two' })
    session.flow.undo()
    expect(session.document).toEqual(FLOW)
  })

  it('the current settings changes nothing', () => {
    const session = sessionWith()
    compared(session)
    expect(keepVariant(session, 'write')).toBe(true)
    expect(session.edit).not.toHaveBeenCalled()
    expect(session.runner.live.getState().steps.write?.outputs).toEqual({ output: 'One' })
  })

  it('is refused once the node is gone', () => {
    const session = sessionWith(sampleFlow({ nodes: [], edges: [] }))
    compared(session)
    expect(keepVariant(session, 'write_2')).toBe(false)
  })
})

it('reads and writes settings of the agent that a node runs', () => {
  const input = {
    name: 'write.tone',
    title: 'Write: Tone',
    label: 'Tone',
    type: 'Text',
    list: false,
    help: '',
  }
  const inner = {
    ...input,
    schema: { type: 'string', default: 'calm' },
    typeId: 'language_model',
    setting: 'tone',
  }
  const type = {
    ...SAMPLE.type('palette'),
    settings: { type: 'object', properties: { flow: {}, inputs: {} } },
    subflow: 'flow',
    agentInputs: [{ ...inner, isSetting: true }],
  }
  const catalog = { typeOf: () => type } as unknown as typeof SAMPLE
  const node = sampleNode('use', 'agent', { settings: { flow: 'f1' } })
  const [, field] = comparableFields(node, sampleFlow({ nodes: [node], edges: [] }), catalog)
  expect(field).toMatchObject({ title: 'Tone', typeId: 'language_model', setting: 'tone' })
  if (!field) return
  expect(valueIn(node.settings, field)).toBe('calm')
  const loud = withValue(node.settings, field, 'loud')
  expect(loud).toEqual({ flow: 'f1', inputs: { 'write.tone': 'loud' } })
  expect(valueIn(loud, field)).toBe('loud')
  expect(withValue(loud, field, undefined)).toEqual({ flow: 'f1' })
})

describe('keeping variants as separate nodes', () => {
  it('adds a node with the same inputs below the compared one, as one undo step', () => {
    const session = sessionWith()
    compared(session)
    expect(keepAsNodes(session)).toEqual(['write', 'write_2'])
    const [kept, added] = ['write', 'write_2'].map((id) => findNode(session.document, id))
    expect(kept).toEqual(WRITE)
    expect(added).toMatchObject({
      type: 'language_model',
      settings: { model: 'b', system_prompt: 'Be kind.' },
    })
    expect(added?.position.y).toBeGreaterThan(kept?.position.y ?? 0)
    expect(added).not.toHaveProperty('result')
    expect(session.document.edges).toContainEqual({ from: 'ask.output', to: 'write_2.prompt' })
    const { steps } = session.runner.live.getState()
    expect([steps.write?.outputs, steps.write_2?.outputs]).toEqual([{ output: 'One' }, { output: 'Two' }])
    session.flow.undo()
    expect(session.document).toEqual(FLOW)
  })

  it('gives a new id where the one of the comparison is taken, and leaves what was changed since as it is', () => {
    const changed = { ...WRITE, settings: { ...WRITE.settings, model: 'c' } }
    const taken = sampleNode('write_2', 'number')
    const session = sessionWith(sampleFlow({ ...FLOW, nodes: [...FLOW.nodes.slice(0, 1), changed, taken] }))
    compared(session)
    expect(keepAsNodes(session)).toEqual(['write', 'write_3'])
    expect(findNode(session.document, 'write')).toEqual(changed)
    const { steps } = session.runner.live.getState()
    expect([steps.write, steps.write_2, steps.write_3?.outputs]).toEqual([
      undefined,
      undefined,
      { output: 'Two' },
    ])
  })

  it('keeps none while none but the own settings has finished, or once the node is gone', () => {
    const session = sessionWith(sampleFlow({ nodes: [], edges: [] }))
    compared(session)
    expect(keepAsNodes(session)).toEqual([])
    const waiting = sessionWith()
    compared(waiting)
    const live = waiting.comparer.live.getState()
    const { write_2: _, ...steps } = live.steps
    waiting.comparer.live.reset({ ...live, steps })
    expect(keepAsNodes(waiting)).toEqual([])
    expect(waiting.document).toEqual(FLOW)
  })
})
