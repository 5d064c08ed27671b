import { useSyncExternalStore } from 'react'
import { useLive } from '@/document/use-session'
import { isOver, type RunState } from '@/lib/run/types'
import { createClock } from './clock'

const clocks = new Map<number, ReturnType<typeof createClock>>()

function clockOf(every: number) {
  const clock = clocks.get(every) ?? createClock(every)
  clocks.set(every, clock)
  return clock
}

const stopped = () => () => undefined

/** Seconds since the run started, updated while it runs. */
export function useElapsed(every = 250): number {
  const now = useRunClock(every)
  const startedAt = useLive((live) => live.startedAt)
  return startedAt === null ? 0 : Math.max(0, now - startedAt)
}

/** The time at which to draw the run, in epoch seconds; constant once the run is over. */
export function useRunClock(every = 250): number {
  const over = useLive((live) => isOver(live.status))
  const finishedAt = useLive((live) => live.finishedAt)
  const clock = clockOf(every)
  const now = useSyncExternalStore(over ? stopped : clock.subscribe, clock.now)
  return over && finishedAt !== null ? finishedAt : now
}

/** With more running steps than this, animations are turned off for speed. */
const MAX_ANIMATED_STEPS = 16

const counted = new WeakMap<RunState['steps'], boolean>()

export function useManyRunning(): boolean {
  return useLive(({ steps }) => {
    const known = counted.get(steps) ?? isMany(steps)
    counted.set(steps, known)
    return known
  })
}

function isMany(steps: RunState['steps']): boolean {
  let running = 0
  for (const id in steps) {
    if (steps[id]?.status === 'running') running += 1
    if (running > MAX_ANIMATED_STEPS) return true
  }
  return false
}
