import { queryOptions } from '@tanstack/react-query'
import {
  flowsCreate,
  flowsDelete,
  flowsDeprecate,
  flowsDuplicate,
  flowsExport,
  flowsGet,
  flowsImportDocument,
  flowsListVisible,
  flowsPatch,
  flowsRestoreStatus,
  flowsSetAvatar,
} from '../api.gen/sdk.gen'
import type { FlowDetail, FlowSummary } from '../api.gen/types.gen'
import { invalidateFlows } from '../query-client'
import { unwrap } from './request'

export type { FlowDetail, FlowSummary }
export type FlowFacts = Pick<
  FlowSummary,
  'name' | 'description' | 'category' | 'visibility' | 'watermark' | 'mark_exports'
>

const FLOWS = ['flows'] as const

/** All agents that the user may see; Home excludes drafts and legacy agents. */
export function flowsQuery({ includeAll }: { includeAll: boolean }) {
  return queryOptions({
    queryKey: [...FLOWS, 'list', { includeAll }],
    queryFn: ({ signal }) =>
      unwrap(flowsListVisible({ query: { include_all: includeAll }, signal, throwOnError: true })),
  })
}

export function flowQuery(id: string) {
  return queryOptions({
    queryKey: [...FLOWS, 'one', id],
    queryFn: ({ signal }) => unwrap(flowsGet({ path: { flow_id: id }, signal, throwOnError: true })),
  })
}

/** Refetches the agent and the lists; call it after every change of an agent. */
export function refreshFlows(): Promise<void> {
  return invalidateFlows()
}

async function changing<Data>(call: Promise<{ data: Data }>): Promise<Data> {
  const data = await unwrap(call)
  await refreshFlows()
  return data
}

const at = (id: string) => ({ path: { flow_id: id }, throwOnError: true }) as const

/** Creates a draft. A repeated request with the same key returns the first draft. */
export function createFlow(facts: FlowFacts, key: string): Promise<FlowDetail> {
  return changing(flowsCreate({ body: facts, headers: { 'Idempotency-Key': key }, throwOnError: true }))
}

export async function updateFlow(id: string, facts: Partial<FlowFacts>): Promise<void> {
  await changing(flowsPatch({ ...at(id), body: facts }))
}

export async function deleteFlow(id: string): Promise<void> {
  await changing(flowsDelete(at(id)))
}

export function duplicateFlow(id: string): Promise<FlowSummary> {
  return changing(flowsDuplicate(at(id)))
}

export async function deprecateFlow(id: string): Promise<void> {
  await changing(flowsDeprecate(at(id)))
}

export async function restoreFlowStatus(id: string): Promise<void> {
  await changing(flowsRestoreStatus(at(id)))
}

export async function setFlowAvatar(id: string, file: File): Promise<void> {
  await changing(flowsSetAvatar({ ...at(id), body: { file } }))
}

/** Downloads the agent as a file that `importFlow` accepts. */
export async function exportFlow(id: string): Promise<Blob> {
  const document = await unwrap(flowsExport(at(id)))
  return new Blob([JSON.stringify(document, null, 2)], { type: 'application/json' })
}

export function importFlow(document: Record<string, unknown>): Promise<FlowDetail> {
  return changing(flowsImportDocument({ body: document, throwOnError: true }))
}
