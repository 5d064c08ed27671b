// @vitest-environment jsdom
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addNode, setSetting } from '@/graph/edits/nodes'
import { sampleFlow } from '@/test/flow-samples'
import { type FlowBackend, ServerUnreachableError, StaleRevisionError } from './backend'
import { Checker } from './checker'
import { createFlowStore } from './flow-store'
import { createRecoveryStore } from './recovery'
import { Saver } from './saver'

const text = (value: string) => (document: ReturnType<typeof sampleFlow>) =>
  setSetting(document, 'ask', 'text', value)

const openTabs = new Set(['here', 'second', 'third'])
const tab = (own: string) => ({ own, isOpen: async (name: string) => openTabs.has(name) })

function open() {
  const start = sampleFlow()
  const flow = createFlowStore(start)
  let revision = 1
  const backend = {
    save: vi.fn<FlowBackend['save']>(async () => ({ revision: ++revision, savedAt: 5 })),
    load: vi.fn<FlowBackend['load']>(async () => ({ document: text('theirs')(start), revision: 9 })),
    check: vi.fn<FlowBackend['check']>(),
  }
  const shelf = createRecoveryStore(localStorage, tab('here'))
  const opened = { document: start, revision }
  const saver = new Saver({ flowId: 'f', flow, backend, recovery: shelf, opened, savedAt: null })
  return { start, flow, backend, shelf, saver }
}

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('undo', () => {
  it('undo restores the start of any sequence of gestures, and redo its end', () => {
    const gesture = fc.record({ name: fc.constantFrom('a', 'b', undefined), value: fc.string() })
    fc.assert(
      fc.property(fc.array(gesture, { maxLength: 30 }), (gestures) => {
        const start = sampleFlow()
        const flow = createFlowStore(start)
        for (const { name, value } of gestures) flow.edit(text(value), name)
        const end = flow.document
        const steps = flow.history.getState().pastStates.length
        for (let step = 0; step < steps; step++) flow.undo()
        expect(flow.document).toBe(start)
        for (let step = 0; step < steps; step++) flow.redo()
        expect(flow.document).toBe(end)
      }),
    )
  })

  it('undoes all edits of one gesture in one step', () => {
    const flow = createFlowStore(sampleFlow())
    flow.edit(text('L'), 'typing')
    flow.edit(text('La'), 'typing')
    flow.settle()
    flow.edit(text('Lat'), 'typing')
    flow.undo()
    expect(flow.document.nodes[0]?.settings).toEqual({ text: 'La' })
    flow.undo()
    expect(flow.document.nodes[0]?.settings).toEqual({})
  })
})

describe('the undo history', () => {
  it('keeps the last 300 steps', () => {
    const flow = createFlowStore(sampleFlow())
    for (let step = 1; step <= 301; step++) flow.edit(text(`${step}`))
    for (let step = 1; step <= 400; step++) flow.undo()
    expect(flow.document.nodes[0]?.settings).toEqual({ text: '1' })
  })
})

describe('saving', () => {
  it('saves automatically after a pause in editing', async () => {
    const { flow, backend, saver, shelf } = open()
    flow.edit(text('a'))
    expect(saver.store.getState().status).toBe('unsaved')
    await vi.advanceTimersByTimeAsync(299)
    expect(await shelf.find('f')).toBeNull()
    await vi.advanceTimersByTimeAsync(1)
    expect((await shelf.find('f'))?.document).toEqual(flow.document)
    await vi.advanceTimersByTimeAsync(1199)
    expect(backend.save).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(backend.save).toHaveBeenCalledWith({ document: flow.document, revision: 1 }, {})
    expect(saver.store.getState()).toMatchObject({ status: 'saved', savedAt: 5, saved: { revision: 2 } })
    expect(await shelf.find('f')).toBeNull()
  })

  it('has nothing to save once an undo has restored what is saved', async () => {
    const { flow, backend, saver } = open()
    flow.edit(text('one'))
    flow.undo()
    await vi.advanceTimersByTimeAsync(2000)
    expect(saver.store.getState().status).toBe('saved')
    expect(backend.save).not.toHaveBeenCalled()
  })

  it('forgets unsaved work once an undo or a redo has restored what is saved', async () => {
    const { flow, shelf } = open()
    flow.edit(text('one'))
    await vi.advanceTimersByTimeAsync(300)
    expect(await shelf.find('f')).not.toBeNull()
    flow.undo()
    expect(await shelf.find('f')).toBeNull()
    await vi.advanceTimersByTimeAsync(2000)
    expect(await shelf.find('f')).toBeNull()
  })

  it('keeps an undo of what is being saved when the page closes before the answer', async () => {
    const { start, flow, backend, saver, shelf } = open()
    backend.save.mockImplementation(() => new Promise(() => {}))
    flow.edit(text('one'))
    const sent = flow.document
    void saver.save()
    saver.saveRecovery()
    expect(await shelf.find('f')).toMatchObject({ document: sent, sent: null })
    flow.undo()
    expect(saver.isDirty).toBe(true)
    saver.saveRecovery()
    const left = await shelf.find('f')
    expect(left?.document).toEqual(start)

    // The server had received it.
    const next = open()
    next.saver.adopt({ document: sent, revision: 2 }, 5)
    if (left) next.saver.rebase(left)
    expect(next.flow.document).toEqual(start)
    await vi.advanceTimersByTimeAsync(2000)
    expect(next.backend.save).toHaveBeenCalledWith({ document: next.flow.document, revision: 2 }, {})
    expect(next.saver.store.getState().status).toBe('saved')
  })

  it('saves over a revision of its own whose answer was lost', async () => {
    const { flow, backend, saver } = open()
    backend.save.mockRejectedValueOnce(new ServerUnreachableError())
    backend.save.mockRejectedValueOnce(new StaleRevisionError())
    flow.edit(text('one'))
    backend.load.mockResolvedValueOnce({ document: flow.document, revision: 2 })
    await saver.save()
    flow.edit(text('two'))
    await saver.save()
    expect(saver.store.getState().status).toBe('unsaved')
    await vi.advanceTimersByTimeAsync(2000)
    expect(backend.save).toHaveBeenLastCalledWith({ document: flow.document, revision: 2 }, {})
    expect(saver.store.getState().status).toBe('saved')
  })

  it('also saves an edit made during a save', async () => {
    const { flow, backend, saver } = open()
    flow.edit(text('a'))
    const first = saver.save()
    flow.edit(text('b'))
    await first
    expect(saver.store.getState().status).toBe('unsaved')
    await vi.advanceTimersByTimeAsync(1500)
    expect(backend.save).toHaveBeenLastCalledWith({ document: flow.document, revision: 2 }, {})
    expect(saver.store.getState().status).toBe('saved')
  })

  it('keeps the work in the browser while the server is unreachable, and retries', async () => {
    const { flow, backend, saver, shelf } = open()
    backend.save.mockRejectedValueOnce(new ServerUnreachableError())
    flow.edit(text('a'))
    await saver.save()
    expect(saver.store.getState().status).toBe('offline')
    expect(await shelf.find('f')).toMatchObject({ revision: 1, document: flow.document })
    await vi.advanceTimersByTimeAsync(4999)
    expect(backend.save).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(saver.store.getState().status).toBe('saved')
  })

  it('reports an edit conflict, and saves the resolution over the newer revision', async () => {
    const { start, flow, backend, saver } = open()
    backend.save.mockRejectedValueOnce(new StaleRevisionError())
    flow.edit(text('mine'))
    await saver.save()
    expect(saver.store.getState()).toMatchObject({ status: 'conflict', theirs: { revision: 9 } })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(backend.save).toHaveBeenCalledTimes(1)
    const mine = flow.document
    await saver.resolve(text('merged')(start))
    const sent = backend.save.mock.calls.slice(1)
    expect(sent.map(([draft, { keep }]) => [draft.document, keep])).toEqual([
      [text('theirs')(start), true],
      [mine, true],
      [text('merged')(start), true],
    ])
    expect(sent[0]?.[0].revision).toBe(9)
    expect(flow.document.nodes[0]?.settings).toEqual({ text: 'merged' })
  })

  it('reports no conflict when both sides are equal', async () => {
    const { flow, backend, saver } = open()
    backend.save.mockRejectedValueOnce(new StaleRevisionError())
    flow.edit(text('theirs'))
    await saver.save()
    expect(saver.store.getState()).toMatchObject({ status: 'saved', saved: { revision: 9 } })
  })

  it('reports the error of the server and keeps the work in the browser', async () => {
    const { flow, backend, saver, shelf } = open()
    backend.save.mockRejectedValueOnce(new Error('Too many nodes.'))
    flow.edit(text('a'))
    expect(await saver.save()).toBe(false)
    expect(saver.store.getState()).toMatchObject({ status: 'failed', error: 'Too many nodes.' })
    expect((await shelf.find('f'))?.document).toEqual(flow.document)
  })
})

describe('the recovery store', () => {
  const work = (value: string, at: number) => {
    const start = sampleFlow()
    return { document: text(value)(start), start, revision: 1, at }
  }

  it('ignores invalid data in the storage', async () => {
    localStorage.setItem('impasto.recovery.f', '{"document": 3}')
    expect(await createRecoveryStore(localStorage, tab('here')).find('f')).toBeNull()
  })

  it('gives a new tab the work of a closed tab, and never that of an open one', async () => {
    createRecoveryStore(localStorage, tab('here')).save('f', work('open', 3))
    createRecoveryStore(localStorage, tab('lost')).save('f', work('older', 1))
    createRecoveryStore(localStorage, tab('gone')).save('f', work('newer', 2))
    const found = async (name: string) =>
      (await createRecoveryStore(localStorage, tab(name)).find('f'))?.document
    expect((await found('second'))?.nodes[0]?.settings).toEqual({ text: 'newer' })
    expect((await found('third'))?.nodes[0]?.settings).toEqual({ text: 'older' })
    expect((await found('here'))?.nodes[0]?.settings).toEqual({ text: 'open' })
  })

  it('removes only the work of its own tab', async () => {
    const [one, other] = [
      createRecoveryStore(localStorage, tab('here')),
      createRecoveryStore(localStorage, tab('there')),
    ]
    one.save('f', work('one', 1))
    other.save('f', work('other', 1))
    one.clear('f')
    expect((await other.find('f'))?.document.nodes[0]?.settings).toEqual({ text: 'other' })
  })
})

describe('checking', () => {
  it('checks once after a pause in editing, and groups problems by node', async () => {
    const flow = createFlowStore(sampleFlow())
    const problem = { code: 'required_input', message: 'x', node: 'paint', severity: 'error' as const }
    const check = vi.fn<FlowBackend['check']>(async () => ({
      problems: [problem],
      inputs: {},
      results: [],
      estimate: null,
      steps: {},
    }))
    const checker = new Checker(flow, { check })
    await vi.advanceTimersByTimeAsync(0)
    for (const at of [1, 2, 3]) {
      flow.edit((document) => addNode(document, { id: 'number', version: 1 }, { x: at, y: 0 }).document)
    }
    await vi.advanceTimersByTimeAsync(499)
    expect(check).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(check).toHaveBeenCalledTimes(2)
    expect(checker.store.getState().byNode.get('paint')).toEqual([problem])
    checker.stop()
  })
})
