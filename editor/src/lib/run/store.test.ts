import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { emptyRun } from './reduce'
import { createRunStore } from './store'
import type { RunEvent } from './types'

let seq = 0
const event = (type: string, step: string | null = null): RunEvent => ({
  seq: ++seq,
  type,
  time: 100 + seq,
  step,
  data: {},
})

beforeEach(() => {
  seq = 0
})

const events = () => [event('run.started'), event('step.started', 'write'), event('run.finished')]

describe('createRunStore', () => {
  it('applies the events of one frame together', () => {
    const frames: (() => void)[] = []
    const store = createRunStore(emptyRun(), (flush) => frames.push(flush))
    let notified = 0
    store.subscribe(() => notified++)
    for (const next of events()) store.push(next)
    expect(frames).toHaveLength(1)
    frames[0]?.()
    expect(notified).toBe(1)
    expect(store.getState().status).toBe('finished')
  })

  it('schedules the events that follow a frame for the next one', () => {
    const frames: (() => void)[] = []
    const store = createRunStore(emptyRun(), (flush) => frames.push(flush))
    const [first, ...rest] = events()
    store.push(first as RunEvent)
    frames[0]?.()
    for (const next of rest) store.push(next)
    expect(frames).toHaveLength(2)
    frames[1]?.()
    expect(store.getState()).toMatchObject({ status: 'finished', lastSeq: 3 })
  })

  it('replaces the state by another run, without the events that wait for the next frame', () => {
    const frames: (() => void)[] = []
    const store = createRunStore(emptyRun(), (flush) => frames.push(flush))
    for (const next of events()) store.push(next)
    const other = { ...emptyRun(), status: 'queued' as const }
    store.reset(other)
    frames[0]?.()
    expect(store.getState()).toBe(other)
    store.reset()
    expect(store.getState()).toEqual(emptyRun())
  })
})

describe('watching a step', () => {
  const watched = (...ids: string[]) => {
    const frames: (() => void)[] = []
    const store = createRunStore(emptyRun(), (flush) => frames.push(flush))
    const notified: string[] = []
    for (const id of ids) store.watch(id, () => notified.push(id))
    const happens = (...events: RunEvent[]) => {
      notified.length = 0
      for (const next of events) store.push(next)
      frames.pop()?.()
      return [...notified]
    }
    return { store, happens, notified }
  }

  it('notifies only the watchers of an event’s step', () => {
    const { happens } = watched('write', 'paint')
    expect(happens(event('step.started', 'write'))).toEqual(['write'])
    expect(happens(event('step.progress', 'paint'), event('step.queued', 'animate'))).toEqual(['paint'])
  })

  it('notifies the watcher of a subflow node about its inner steps', () => {
    const { happens } = watched('teaser')
    expect(happens(event('step.started', 'teaser/speak'))).toEqual(['teaser'])
  })

  it('notifies all watchers when the run starts, ends or is replaced', () => {
    const { happens, store, notified } = watched('write', 'paint')
    expect(happens(event('run.cancelled'))).toEqual(['write', 'paint'])
    notified.length = 0
    store.reset()
    expect(notified).toEqual(['write', 'paint'])
  })

  it('does not notify an unsubscribed watcher', () => {
    const { store, happens, notified } = watched('write')
    const stop = store.watch('write', () => notified.push('again'))
    stop()
    expect(happens(event('step.started', 'write'))).toEqual(['write'])
  })

  it('notifies a later watcher of the step although an earlier one unsubscribes twice', () => {
    const { store, happens, notified } = watched()
    const stop = store.watch('write', () => notified.push('earlier'))
    stop()
    store.watch('write', () => notified.push('later'))
    stop()
    expect(happens(event('step.started', 'write'))).toEqual(['later'])
  })
})

describe('the frames of a page', () => {
  const frames: (() => void)[] = []
  const open = (visibilityState: DocumentVisibilityState) => {
    vi.stubGlobal('document', { visibilityState })
    vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw))
    const store = createRunStore()
    for (const next of events()) store.push(next)
    return store
  }

  beforeEach(() => {
    frames.length = 0
    vi.useFakeTimers()
  })

  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('apply events every second time', () => {
    const store = open('visible')
    frames.shift()?.()
    expect(store.getState()).toEqual(emptyRun())
    frames.shift()?.()
    expect(store.getState().status).toBe('finished')
  })

  it('are replaced by a timer in a hidden tab, ten times a second', () => {
    const store = open('hidden')
    vi.advanceTimersByTime(99)
    expect(store.getState()).toEqual(emptyRun())
    vi.advanceTimersByTime(1)
    expect(store.getState().status).toBe('finished')
  })
})
