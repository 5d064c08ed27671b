import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { runsCancel, runsEstimate, runsGet, runsListRuns, runsResume, runsStart } from '../api.gen/sdk.gen'
import type { Run, RunRequest, RunSummary } from '../api.gen/types.gen'
import { randomId } from '../ids'
import { invalidate, queryClient } from '../query-client'
import type { RunStatus } from '../run/types'
import { isApiError } from './error'
import { unwrap } from './request'
import { refreshCurrentUser } from './users'

export type { Run, RunSummary }

const QUEUE_POLL_MS = 2000

export function runQuery(id: string) {
  return queryOptions({
    queryKey: ['runs', 'one', id],
    queryFn: ({ signal }) => unwrap(runsGet({ path: { run_id: id }, signal, throwOnError: true })),
    // A run that waits has no events that would tell of its place in the queue.
    refetchInterval: ({ state }) => (state.data?.status === 'queued' ? QUEUE_POLL_MS : false),
  })
}

export function runsQuery({ flowId, status }: { flowId?: string; status?: RunStatus } = {}) {
  return queryOptions({
    queryKey: ['runs', 'list', { flowId, status }],
    queryFn: ({ signal }) =>
      unwrap(
        runsListRuns({ query: { flow_id: flowId, status: status && [status] }, signal, throwOnError: true }),
      ),
  })
}

const PAGE_SIZE = 20

/** The runs of an agent, newest first, in pages. */
export function pastRunsQuery(flowId: string) {
  return infiniteQueryOptions({
    queryKey: ['runs', 'list', { flowId, pages: true }],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        runsListRuns({
          query: { flow_id: flowId, limit: PAGE_SIZE, cursor: pageParam ?? undefined },
          signal,
          throwOnError: true,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
}

type Version = RunRequest['version']

/** The estimated cost and time of a launch with these inputs; cached until the inputs change. */
export function estimateQuery(flowId: string, inputs: Record<string, unknown>, version: Version) {
  return queryOptions({
    queryKey: ['runs', 'estimate', flowId, version ?? null, inputs],
    queryFn: ({ signal }) =>
      unwrap(
        runsEstimate({ path: { flow_id: flowId }, body: { inputs, version }, signal, throwOnError: true }),
      ),
    gcTime: 60_000,
    retry: false,
  })
}

const MAX_WAIT_MS = 60_000

/**
 * Launches an agent. A repeated request with the same key returns the run that the first one started, after waiting
 * for it. Quota and list of runs are refetched in every case.
 */
export async function startRun(flowId: string, body: RunRequest, key: string = randomId()): Promise<Run> {
  const headers = { 'Idempotency-Key': key }
  return launched(() => unwrap(runsStart({ path: { flow_id: flowId }, body, headers, throwOnError: true })))
}

/** Starts a run with a key, which `send` sends; see `startRun`. */
export async function launched(send: () => Promise<Run>): Promise<Run> {
  try {
    const run = await afterFirstRequest(send)
    queryClient.setQueryData(runQuery(run.id).queryKey, run)
    return run
  } finally {
    void refreshCurrentUser()
    void invalidate({ queryKey: ['runs', 'list'] })
  }
}

/** Sends a request again until the first one with its key has finished, for at most a minute. */
async function afterFirstRequest<T>(send: () => Promise<T>): Promise<T> {
  const end = Date.now() + MAX_WAIT_MS
  for (;;) {
    try {
      return await send()
    } catch (error) {
      if (!isApiError(error, 'idempotency_in_progress') || Date.now() > end) throw error
      await new Promise((done) => setTimeout(done, (error.retryAfter ?? 1) * 1000))
    }
  }
}

export async function cancelRun(id: string): Promise<void> {
  await runsCancel({ path: { run_id: id }, throwOnError: true })
}

/** Retries failed and skipped steps, and no others. */
export async function resumeRun(id: string): Promise<void> {
  await runsResume({ path: { run_id: id }, throwOnError: true })
  await invalidate({ queryKey: runQuery(id).queryKey })
}
