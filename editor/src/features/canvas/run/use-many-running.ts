import { useLive } from '@/document/use-session'
import type { RunState } from '@/lib/run/types'

/** With more steps than this at work at once, motion says nothing any more and only costs. */
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
