import { describe, expect, it } from 'vitest'
import type { FlowDocument } from '@/graph/document'
import { isRunCurrent, wasDisabled } from './run-staleness'
import type { OpenRun } from './runner'

const node = (id: string, text: string, x = 0) => ({
  ...{ id, type: 'compose', version: 1, position: { x, y: 0 } },
  settings: { template: text, upper: false },
})
const drawn = (...nodes: ReturnType<typeof node>[]): FlowDocument => ({
  ...{ format: 1, name: 'Words', edges: [] },
  nodes,
})
const NONE = new Map<string, number>()
const ran = (flow: unknown) => ({ flow }) as OpenRun

describe('isRunCurrent', () => {
  it('ignores the order of the settings', () => {
    const stored = {
      ...drawn(node('say', 'Hi')),
      nodes: [{ ...node('say', 'Hi'), settings: { upper: false, template: 'Hi' } }],
    }
    expect(isRunCurrent(ran(stored), drawn(node('say', 'Hi')), NONE)).toBe(true)
    expect(isRunCurrent(ran(stored), drawn(node('say', 'Ho')), NONE)).toBe(false)
    expect(isRunCurrent(ran(stored), drawn(node('say', 'Hi'), node('more', 'Hi')), NONE)).toBe(false)
  })

  it('ignores the position and the order of the nodes', () => {
    const one = drawn(node('a', 'Hi'), node('b', 'Ho'))
    expect(isRunCurrent(ran(one), drawn(node('b', 'Ho', 400), node('a', 'Hi', 20)), NONE)).toBe(true)
  })

  it('is true for a run without a document', () => {
    expect(isRunCurrent(ran(undefined), drawn(node('a', 'Hi')), NONE)).toBe(true)
  })

  it('is false once a newer version of a brand that it follows is published', () => {
    const branded = (saved: string) => ({
      flow: { ...drawn(), nodes: [{ ...node('a', 'Hi'), settings: { brand: { saved } } }] },
      brands: [{ brand_id: 'fjell', version: 1 }],
    })
    const isCurrent = (saved: string, newest: Map<string, number>) => {
      const { flow, brands } = branded(saved)
      return isRunCurrent({ flow, brands, inputs: {} } as unknown as OpenRun, flow as FlowDocument, newest)
    }
    expect(isCurrent('fjell', new Map([['fjell', 1]]))).toBe(true)
    expect(isCurrent('fjell', new Map([['fjell', 2]]))).toBe(false)
    expect(isCurrent('fjell@1', new Map([['fjell', 2]]))).toBe(true)
    expect(isCurrent('fjell', NONE)).toBe(true)
  })

  it('follows the values of variables, and not their names', () => {
    const made = (name: string, value: string): FlowDocument => ({
      ...drawn(node('a', `Be {{${name}}}`), node('b', 'Hi')),
      variables: [{ name, type: 'Text', value }],
    })
    const set = (name: string, value: string): FlowDocument => ({
      ...made(name, value),
      nodes: [{ ...node('a', 'Hi'), variables: { template: name } }],
    })
    for (const flow of [made, set]) {
      expect(isRunCurrent(ran(flow('tone', 'dry')), flow('voice', 'dry'), NONE)).toBe(true)
      expect(isRunCurrent(ran(flow('tone', 'dry')), flow('tone', 'warm'), NONE)).toBe(false)
    }
  })
})

describe('wasDisabled', () => {
  it('reads it from the document of the run, which may not be known', () => {
    const run = ran(
      drawn({ ...node('a', 'Hi'), mode: 'disabled' } as ReturnType<typeof node>, node('b', 'Ho')),
    )
    expect([wasDisabled(run, 'a'), wasDisabled(run, 'b'), wasDisabled(run, 'gone')]).toEqual([
      true,
      false,
      false,
    ])
    expect([wasDisabled(null, 'a'), wasDisabled(ran(undefined), 'a')]).toEqual([false, false])
  })
})
