// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest'
import { setSetting } from '@/graph/edits/nodes'
import { sampleFlow } from '@/test/flow-samples'
import { createFlowStore } from './flow-store'
import { keepUndoSteps, restoreUndoSteps } from './undo-history'

const text = (value: string) => (document: ReturnType<typeof sampleFlow>) =>
  setSetting(document, 'ask', 'text', value)

function edited(...values: string[]) {
  const flow = createFlowStore(sampleFlow())
  for (const value of values) flow.edit(text(value))
  return flow
}

beforeEach(() => sessionStorage.clear())

describe('the undo history of a tab', () => {
  it('undoes and redoes after a reload as it did before', () => {
    const before = edited('a', 'b', 'c')
    before.undo()
    keepUndoSteps('f', before)
    const after = createFlowStore(text('b')(sampleFlow()))
    expect(restoreUndoSteps('f', after)).toBe(true)
    after.redo()
    expect(after.document).toEqual(text('c')(sampleFlow()))
    for (let step = 0; step < 3; step++) after.undo()
    expect(after.document).toEqual(sampleFlow())
  })

  it('is not restored for another agent or another document', () => {
    keepUndoSteps('f', edited('a'))
    expect(restoreUndoSteps('g', createFlowStore(text('a')(sampleFlow())))).toBe(false)
    expect(restoreUndoSteps('f', createFlowStore(text('changed elsewhere')(sampleFlow())))).toBe(false)
  })

  it('keeps the newest steps of a large document', () => {
    const large = 'x'.repeat(200_000)
    keepUndoSteps('f', edited(`1${large}`, `2${large}`, `3${large}`, `4${large}`))
    const after = createFlowStore(text(`4${large}`)(sampleFlow()))
    expect(restoreUndoSteps('f', after)).toBe(true)
    expect(after.steps().past).toHaveLength(2)
    after.undo()
    expect(after.document).toEqual(text(`3${large}`)(sampleFlow()))
  })

  it('ignores what is stored if it is damaged', () => {
    sessionStorage.setItem('impasto.undo', '{"flowId":"f","current":{"nodes":5}}')
    expect(restoreUndoSteps('f', createFlowStore(sampleFlow()))).toBe(false)
  })
})
