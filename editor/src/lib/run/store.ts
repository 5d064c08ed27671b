import { createStore, type StoreApi } from 'zustand/vanilla'
import { applyEvents, emptyRun } from './reduce'
import { nodeOf } from './step'
import type { RunEvent, RunState } from './types'

export interface RunStore extends StoreApi<RunState> {
  /** Takes one event; those of a moment are applied together. */
  push(event: RunEvent): void
  /** Begins again from a known state (a snapshot, or another run). */
  reset(state?: RunState): void
  /** Applies what is waiting now. */
  flush(): void
  /** Tells when a step may have changed, or an inner step of it (`teaser/speak` is a part of `teaser`). */
  watch(step: string, notify: () => void): () => void
}

type Schedule = (flush: () => void) => void

/**
 * Holds a run's live state apart from the document. A thousand cards watch a step each, and an event wakes only
 * those whose step it is about.
 */
export function createRunStore(initial: RunState = emptyRun(), schedule: Schedule = soon): RunStore {
  const store = createStore<RunState>(() => initial)
  const watchers = new Map<string, Set<() => void>>()
  let waiting: RunEvent[] = []
  const flush = () => {
    const events = waiting
    waiting = []
    if (events.length === 0) return
    store.setState((state) => applyEvents(state, events), true)
    tell(watchers, events.some((event) => event.step === null) ? null : touchedBy(events))
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
      tell(watchers, null)
    },
    watch(step: string, told: () => void) {
      const those = watchers.get(step) ?? new Set()
      watchers.set(step, those.add(told))
      return () => {
        those.delete(told)
        if (those.size === 0 && watchers.get(step) === those) watchers.delete(step)
      }
    },
  })
}

function touchedBy(events: readonly RunEvent[]): Set<string> {
  return new Set(events.flatMap(({ step }) => (step === null ? [] : [step, nodeOf(step)])))
}

function tell(
  watchers: ReadonlyMap<string, ReadonlySet<() => void>>,
  steps: ReadonlySet<string> | null,
): void {
  for (const step of steps ?? [...watchers.keys()]) {
    for (const told of [...(watchers.get(step) ?? [])]) told()
  }
}

/** Every other frame is as live as anybody can see; a hidden tab gets no frames, and a timer lets its state go on. */
function soon(flush: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(flush, 100)
  else requestAnimationFrame(() => requestAnimationFrame(flush))
}
