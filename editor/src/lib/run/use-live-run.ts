import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { type Run, runQuery } from '../api/runs'
import { invalidate } from '../query-client'
import { followEvents, type ServerEvent, type StreamState } from '../run-events'
import { fromRun } from './reduce'
import { createRunStore } from './store'
import { isOver, type RunEvent, type RunState } from './types'

export type LiveRun = {
  run: Run | undefined
  state: RunState
  stream: StreamState
  /** Why the run could not be loaded. */
  error: Error | null
  retry: () => void
}

const TERMINAL_EVENTS = new Set(['run.finished', 'run.failed', 'run.cancelled'])

/** The live state of a run: a snapshot, then its events, across reloads and reconnects. */
export function useLiveRun(runId: string): LiveRun {
  const { data: run, error, refetch } = useQuery(runQuery(runId))
  const [store] = useState(() => createRunStore())
  const [stream, setStream] = useState<StreamState>('connecting')
  const live = run !== undefined && !isOver(run.status)

  useEffect(() => {
    if (run && run.last_seq >= store.getState().lastSeq) store.reset(fromRun(run))
  }, [run, store])

  useEffect(() => {
    if (!live) return setStream('closed')
    return followEvents(`/runs/${runId}/events`, {
      after: store.getState().lastSeq,
      onState: setStream,
      onEvent: (event) => {
        store.push(runEventOf(event))
        if (!TERMINAL_EVENTS.has(event.event)) return false
        store.flush()
        void invalidate({ queryKey: runQuery(runId).queryKey })
        return true
      },
    })
  }, [live, runId, store])

  return { run, state: useStore(store), stream, error, retry: () => void refetch() }
}

function runEventOf({ data }: ServerEvent): RunEvent {
  return JSON.parse(data) as RunEvent
}
