import { queryOptions } from '@tanstack/react-query'
import { flowsGetCustomization, flowsResetCustomization, flowsUpdateCustomization } from '../api.gen/sdk.gen'
import type { Customization } from '../api.gen/types.gen'
import { queryClient } from '../query-client'
import { unwrap } from './request'

/** The launch inputs of an agent as the user last set them, in any browser. */
export function customizationQuery(flowId: string) {
  return queryOptions({
    queryKey: ['customizations', flowId],
    queryFn: ({ signal }) =>
      unwrap(flowsGetCustomization({ path: { flow_id: flowId }, signal, throwOnError: true })),
    // A launch waits for it: without an answer, the agent's own values apply.
    retry: false,
  })
}

/** Stores inputs beside the earlier ones; null removes one. The request outlives the page. */
export async function updateCustomization(flowId: string, values: Record<string, unknown>): Promise<void> {
  await flowsUpdateCustomization({
    path: { flow_id: flowId },
    body: { values },
    keepalive: true,
    throwOnError: true,
  })
}

export async function resetCustomization(flowId: string): Promise<void> {
  await flowsResetCustomization({ path: { flow_id: flowId }, keepalive: true, throwOnError: true })
}

/** Shows values before the server has stored them. */
export async function showCustomization(flowId: string, change: (values: Inputs) => Inputs): Promise<void> {
  const { queryKey } = customizationQuery(flowId)
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData<Customization>(queryKey, (known) => ({
    values: change(known?.values ?? {}),
    updated_at: known?.updated_at ?? null,
  }))
}

type Inputs = Record<string, unknown>
