import { useStore } from 'zustand'
import type { RunnerState } from '@/document/runner'
import { useSession } from '@/document/use-session'
import type { RunState } from '@/lib/run/types'

/** The comparison that is shown. */
export function useComparer<T>(select: (state: RunnerState) => T): T {
  return useStore(useSession().comparer.store, select)
}

/** The live state of its run. */
export function useComparisonRun<T>(select: (state: RunState) => T): T {
  return useStore(useSession().comparer.live, select)
}

/** The letter of a variant by its place; the first has the node's own settings. */
export function letterOf(index: number): string {
  return String.fromCharCode(65 + index)
}
