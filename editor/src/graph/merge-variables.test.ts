import { describe, expect, it } from 'vitest'
import { sampleFlow, sampleNode } from '@/test/flow-samples'
import type { FlowDocument, FlowNode, FlowVariable } from './document'
import { merge } from './merge'
import { mergeVariables, variableDifferences } from './merge-variables'

const tone = (value: string): FlowVariable => ({ name: 'tone', type: 'Text', value })
const flow = (...variables: FlowVariable[]) =>
  sampleFlow({ nodes: [sampleNode('ask', 'user_prompt')], edges: [], variables })

describe('variables of two sides', () => {
  const sides = { start: flow(tone('dry')), mine: flow(tone('warm')), theirs: flow(tone('bold')) }

  it('differ by name, and clash if both sides changed one', () => {
    expect(variableDifferences(sides)).toMatchObject([
      { kind: 'variable', id: 'tone', clash: true, suggested: 'mine', parts: [{ kind: 'variable' }] },
    ])
    expect(variableDifferences({ ...sides, mine: sides.theirs })).toEqual([])
  })

  it('are taken from the chosen side', () => {
    const { start, mine, theirs } = sides
    expect(mergeVariables(sides)).toEqual([tone('warm')])
    for (const key of ['variable:tone', 'variable:tone value'])
      expect(merge(start, mine, theirs, new Map([[key, 'theirs']])).variables).toEqual([tone('bold')])
  })

  it('suggest what is taken without a choice for a variable that one side removed', () => {
    const removed = { ...sides, theirs: flow() }
    expect(variableDifferences(removed)).toMatchObject([{ suggested: 'mine', clash: true }])
    expect(mergeVariables(removed)).toEqual([tone('warm')])
    expect(mergeVariables(removed, new Map([['variable:tone', 'theirs']]))).toEqual([])
    const unchanged = { ...removed, mine: sides.start }
    expect(variableDifferences(unchanged)).toMatchObject([{ suggested: 'theirs', clash: false }])
    expect(mergeVariables(unchanged)).toEqual([])
  })
  it('keep a variable that one side removed and the other uses in another place', () => {
    const flowOf = (more: Partial<FlowNode>, ...variables: FlowVariable[]) => ({
      ...flow(...variables),
      nodes: [sampleNode('ask', 'user_prompt', more)],
    })
    const settings = { text: 'Plain', limit: 3 }
    const [start, theirs] = [flowOf({ settings }, tone('dry')), flowOf({ settings })]
    const merged = (was: FlowDocument, more: Partial<FlowNode>) =>
      mergeVariables({ start: was, mine: flowOf(more, tone('dry')), theirs })
    const inText = { settings: { text: 'Be {{tone}}', limit: 3 } }
    const inSetting = { settings, variables: { text: 'tone' } }
    for (const use of [inText, inSetting]) {
      expect(merged(start, use)).toEqual([tone('dry')])
      expect(merged(flowOf(use, tone('dry')), { ...use, title: 'Renamed' })).toEqual([])
    }
    expect(merged(start, { settings, variables: { text: 'mood' } })).toEqual([])
  })
})

it('a variable that only one side added is taken, and differs without parts', () => {
  const sides = { start: flow(), mine: flow(tone('warm')), theirs: flow() }
  const added = { kind: 'variable', id: 'tone', clash: false, parts: [] }
  expect(variableDifferences(sides)).toMatchObject([
    { ...added, mine: 'added', theirs: 'same', suggested: 'mine' },
  ])
  const other = { ...sides, mine: flow(), theirs: flow(tone('warm')) }
  expect(variableDifferences(other)).toMatchObject([
    { ...added, mine: 'same', theirs: 'added', suggested: 'theirs' },
  ])
  for (const each of [sides, other]) expect(mergeVariables(each)).toEqual([tone('warm')])
})
