import { queryOptions } from '@tanstack/react-query'
import { runsCancelVariant, runsCompare, runsEstimateComparison } from '../api.gen/sdk.gen'
import type {
  ComparisonEstimate,
  ComparisonEstimateRequest,
  ComparisonRequest,
  Run,
} from '../api.gen/types.gen'
import { unwrap } from './request'
import { launched } from './runs'

export type { ComparisonEstimate }

/** Runs one node of the draft with its settings and with others. A repeated request with the same key starts none. */
export function startComparison(flowId: string, body: ComparisonRequest, key: string): Promise<Run> {
  const headers = { 'Idempotency-Key': key }
  return launched(() => unwrap(runsCompare({ path: { flow_id: flowId }, body, headers, throwOnError: true })))
}

/** Stops one variant of a comparison; the others go on. */
export async function cancelVariant(runId: string, step: string): Promise<void> {
  await runsCancelVariant({ path: { run_id: runId, step }, throwOnError: true })
}

/** What a comparison is expected to cost, by variant. `prepare` saves the draft, of which `revision` changes. */
export function comparisonEstimateQuery(
  flowId: string,
  body: ComparisonEstimateRequest,
  revision: unknown,
  prepare: () => Promise<void>,
) {
  return queryOptions({
    queryKey: ['runs', 'comparison-estimate', flowId, body, revision],
    queryFn: async ({ signal }) => {
      await prepare()
      return unwrap(runsEstimateComparison({ path: { flow_id: flowId }, body, signal, throwOnError: true }))
    },
    gcTime: 60_000,
    retry: false,
  })
}
