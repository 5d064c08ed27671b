import { describe, expect, it } from 'vitest'
import type { FlowDocument } from '@/graph/document'
import { isRunCurrent } from './run-staleness'
import type { OpenRun } from './runner'

const node = (id: string, text: string, x = 0) => ({
  ...{ id, type: 'compose', version: 1, position: { x, y: 0 } },
  settings: { template: text, upper: false },
})
const drawn = (...nodes: ReturnType<typeof node>[]): FlowDocument => ({
  ...{ format: 1, name: 'Words', edges: [] },
  nodes,
})
const ran = (flow: unknown) => ({ flow }) as OpenRun

describe('isRunCurrent', () => {
  it('ignores the order of the settings', () => {
    const stored = {
      ...drawn(node('say', 'Hi')),
      nodes: [{ ...node('say', 'Hi'), settings: { upper: false, template: 'Hi' } }],
    }
    expect(isRunCurrent(ran(stored), drawn(node('say', 'Hi')))).toBe(true)
    expect(isRunCurrent(ran(stored), drawn(node('say', 'Ho')))).toBe(false)
    expect(isRunCurrent(ran(stored), drawn(node('say', 'Hi'), node('more', 'Hi')))).toBe(false)
  })

  it('ignores the position and the order of the nodes', () => {
    const one = drawn(node('a', 'Hi'), node('b', 'Ho'))
    expect(isRunCurrent(ran(one), drawn(node('b', 'Ho', 400), node('a', 'Hi', 20)))).toBe(true)
  })

  it('is true for a run without a document', () => {
    expect(isRunCurrent(ran(undefined), drawn(node('a', 'Hi')))).toBe(true)
  })
})
