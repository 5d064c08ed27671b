// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
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

/** Which of these agents get their history back, if their documents have not changed since. */
function restored(ids: readonly string[], value: string) {
  return ids.filter((id) => restoreUndoSteps(id, createFlowStore(text(value)(sampleFlow()))))
}

beforeEach(() => sessionStorage.clear())
afterEach(() => vi.restoreAllMocks())

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

  it('keeps the histories of the eight agents that were stored last', () => {
    const ids = Array.from({ length: 9 }, (_, at) => `f${at}`)
    for (const id of ids.slice(0, 8)) keepUndoSteps(id, edited('a'))
    expect(restored(ids, 'a')).toEqual(ids.slice(0, 8))
    keepUndoSteps('f0', edited('a'))
    keepUndoSteps('f8', edited('a'))
    expect(restored(ids, 'a')).toEqual(ids.filter((id) => id !== 'f1'))
  })

  it('removes the oldest histories when all of them are too large together', () => {
    const large = 'x'.repeat(200_000)
    const ids = ['f0', 'f1', 'f2', 'f3', 'f4', 'f5']
    for (const id of ids) keepUndoSteps(id, edited(`1${large}`, `2${large}`, `3${large}`))
    expect(restored(ids, `3${large}`)).toEqual(['f2', 'f3', 'f4', 'f5'])
    expect(sessionStorage.getItem('impasto.undo')?.length).toBeLessThanOrEqual(2_500_100)
  })

  it('removes the oldest histories when the storage is full', () => {
    const setItem = Storage.prototype.setItem
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(function (this: Storage, key, value) {
      if (value.length > 100_000) throw new DOMException('full', 'QuotaExceededError')
      setItem.call(this, key, value)
    })
    const ids = ['f0', 'f1', 'f2']
    const large = 'x'.repeat(40_000)
    for (const id of ids) keepUndoSteps(id, edited(large))
    expect(restored(ids, large)).toEqual(['f1', 'f2'])
  })

  it('is not kept when nothing can be stored', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError')
    })
    keepUndoSteps('f', edited('a'))
    expect(restored(['f'], 'a')).toEqual([])
  })

  it.each([
    '{"flowId":"f","current":{"nodes":5}}',
    '[null,5,{"flowId":"f","current":{"nodes":5}},{"flowId":"f"}]',
    '[{"flowId":"f","cur',
  ])('ignores what is stored if it is damaged: %s', (damaged) => {
    sessionStorage.setItem('impasto.undo', damaged)
    expect(restored(['f'], 'a')).toEqual([])
    keepUndoSteps('g', edited('a'))
    expect(restored(['g'], 'a')).toEqual(['g'])
  })
})
