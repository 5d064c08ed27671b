import { describe, expect, it } from 'vitest'
import { sampleFlow, sampleNode } from '@/test/flow-samples'
import type { FlowVariable } from './document'
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
})
