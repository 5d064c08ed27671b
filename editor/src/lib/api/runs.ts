import { queryOptions } from '@tanstack/react-query'
import { runsCancel, runsGet, runsListRuns, runsResume, runsStart } from '../api.gen/sdk.gen'
import type { Run, RunRequest } from '../api.gen/types.gen'
import { queryClient } from '../query-client'
import type { RunStatus } from '../run/types'
import { answer } from './answer'
import { refreshCurrentUser } from './users'

export type { Run }

export function runQuery(id: string) {
  return queryOptions({
    queryKey: ['runs', 'one', id],
    queryFn: ({ signal }) => answer(runsGet({ path: { run_id: id }, signal, throwOnError: true })),
  })
}

export function runsQuery({ flowId, status }: { flowId?: string; status?: RunStatus } = {}) {
  return queryOptions({
    queryKey: ['runs', 'list', { flowId, status }],
    queryFn: ({ signal }) =>
      answer(
        runsListRuns({ query: { flow_id: flowId, status: status && [status] }, signal, throwOnError: true }),
      ),
  })
}

/** Starts a launch. The quota and the list of runs are asked for again, whatever comes of it. */
export async function startRun(flowId: string, body: RunRequest): Promise<Run> {
  try {
    const run = await answer(runsStart({ path: { flow_id: flowId }, body, throwOnError: true }))
    queryClient.setQueryData(runQuery(run.id).queryKey, run)
    return run
  } finally {
    void refreshCurrentUser()
    void queryClient.invalidateQueries({ queryKey: ['runs', 'list'] })
  }
}

export async function cancelRun(id: string): Promise<void> {
  await runsCancel({ path: { run_id: id }, throwOnError: true })
}

/** Redoes what failed and what never ran, and nothing else. */
export async function resumeRun(id: string): Promise<void> {
  await runsResume({ path: { run_id: id }, throwOnError: true })
  await queryClient.invalidateQueries({ queryKey: runQuery(id).queryKey })
}
