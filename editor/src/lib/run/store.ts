import { createStore, type StoreApi } from 'zustand/vanilla'
import { applyEvents, emptyRun } from './reduce'
import type { RunEvent, RunState } from './types'

export interface RunStore extends StoreApi<RunState> {
  /** Takes one event; those of one animation frame are applied together. */
  push(event: RunEvent): void
  /** Begins again from a known state (a snapshot, or another run). */
  reset(state?: RunState): void
  /** Applies what is waiting now. */
  flush(): void
}

type Schedule = (flush: () => void) => void

/** Holds a run's live state apart from the document, so that 200 events a second redraw only the steps they touch. */
export function createRunStore(initial: RunState = emptyRun(), schedule: Schedule = nextFrame): RunStore {
  const store = createStore<RunState>(() => initial)
  let waiting: RunEvent[] = []
  const flush = () => {
    const events = waiting
    waiting = []
    if (events.length > 0) store.setState((state) => applyEvents(state, events), true)
  }
  return Object.assign(store, {
    flush,
    push(event: RunEvent) {
      waiting.push(event)
      if (waiting.length === 1) schedule(flush)
    },
    reset(state: RunState = emptyRun()) {
      waiting = []
      store.setState(state, true)
    },
  })
}

/** A hidden tab gets no frames; a timer lets its state go on. */
function nextFrame(flush: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(flush, 100)
  else requestAnimationFrame(flush)
}
