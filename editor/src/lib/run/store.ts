import { createStore, type StoreApi } from 'zustand/vanilla'
import { applyEvents, emptyRun } from './reduce'
import { nodeOf } from './step'
import type { RunEvent, RunState } from './types'

export interface RunStore extends StoreApi<RunState> {
  /** Queues one event; the events of one frame are applied together. */
  push(event: RunEvent): void
  /** Replaces the state by a snapshot or another run. */
  reset(state?: RunState): void
  /** Applies the queued events now. */
  flush(): void
  /** Notifies when a step may have changed, or an inner step of it (`teaser/speak` belongs to `teaser`). */
  watch(step: string, notify: () => void): () => void
}

type Schedule = (flush: () => void) => void

/**
 * Holds the live state of a run outside the document. A thousand cards watch one step each, and an event notifies
 * only the watchers of its step.
 */
export function createRunStore(initial: RunState = emptyRun(), schedule: Schedule = soon): RunStore {
  const store = createStore<RunState>(() => initial)
  const watchers = new Map<string, Set<() => void>>()
  let waiting: RunEvent[] = []
  const flush = () => {
    const events = waiting
    waiting = []
    if (events.length === 0) return
    store.setState((state) => applyEvents(state, events))
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
    watch(step: string, notify: () => void) {
      const those = watchers.get(step) ?? new Set()
      watchers.set(step, those.add(notify))
      return () => {
        those.delete(notify)
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
    for (const notify of [...(watchers.get(step) ?? [])]) notify()
  }
}

/** Applies events every other frame, which is fast enough; a hidden tab gets no frames and uses a timer. */
function soon(flush: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(flush, 100)
  else requestAnimationFrame(() => requestAnimationFrame(flush))
}
