import { createContext, useCallback, useContext, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import type { Catalog } from '@/graph/catalog'
import type { FlowDocument } from '@/graph/document'
import { emptyStep } from '@/lib/run/step'
import { stepOfNode } from '@/lib/run/subflow-steps'
import type { RunState, StepState } from '@/lib/run/types'
import type { CheckState } from './checker'
import type { RunnerState } from './runner'
import type { SaveState } from './saver'
import type { Session } from './session'
import type { ViewState } from './view-store'

export const SessionContext = createContext<Session | null>(null)

/** The session of the agent that is open around this component. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionContext above it.')
  return session
}

export function useDocument<T>(select: (document: FlowDocument) => T): T {
  return useStore(useSession().flow.store, (state) => select(state.document))
}

/** Whether the agent has no nodes. */
export function useIsEmpty(): boolean {
  return useDocument((flow) => flow.nodes.length === 0)
}

export function useView<T>(select: (view: ViewState) => T): T {
  return useStore(useSession().view, select)
}

/** The catalog; re-renders when the ports of another agent have been loaded. */
export function useCatalog(): Catalog {
  return useView((view) => view.catalog)
}

export function useSaving<T>(select: (state: SaveState) => T): T {
  return useStore(useSession().saver.store, select)
}

export function useChecks<T>(select: (state: CheckState) => T): T {
  return useStore(useSession().checker.store, select)
}

export function useRunner<T>(select: (state: RunnerState) => T): T {
  return useStore(useSession().runner.store, select)
}

export function useLive<T>(select: (state: RunState) => T): T {
  return useStore(useSession().runner.live, select)
}

const NO_STEP = emptyStep('')

/** One step of the run on the canvas; re-renders only when that step changes. */
export function useStep(id: string): StepState {
  return useSteps(id, (state) => stepOfNode(state, id) ?? NO_STEP)
}

/** The status of one step. */
export function useStepStatus(id: string): StepState['status'] {
  return useSteps(id, (state) => stepOfNode(state, id)?.status ?? 'pending')
}

/** A value derived from these steps (ids separated by spaces); re-renders only when it changes. */
export function useSteps<T>(ids: string, select: (state: RunState) => T): T {
  const { live } = useSession().runner
  const subscribe = useCallback(
    (notify: () => void) => {
      const stops = ids.split(' ').map((id) => live.watch(id, notify))
      return () => {
        for (const stop of stops) stop()
      }
    },
    [live, ids],
  )
  return useSyncExternalStore(subscribe, () => select(live.getState()))
}

export function useHistory(): { canUndo: boolean; canRedo: boolean } {
  const { history } = useSession().flow
  const canUndo = useStore(history, (state) => state.pastStates.length > 0)
  const canRedo = useStore(history, (state) => state.futureStates.length > 0)
  return { canUndo, canRedo }
}
