import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  flowsCreate,
  flowsDelete,
  flowsDeprecate,
  flowsDuplicate,
  flowsGet,
  flowsListVisible,
  flowsPatch,
  flowsRestoreStatus,
  flowsSetAvatar,
} from '../api.gen/sdk.gen'
import type {
  FlowCreate,
  FlowDetail,
  FlowPage,
  FlowSummary,
  FlowsListVisibleData,
} from '../api.gen/types.gen'
import { invalidateFlows } from '../query-client'
import { unwrap } from './request'
import { settledSaves } from './settled-saves'

export type { FlowDetail, FlowSummary }
export type FlowFacts = Pick<
  FlowSummary,
  'name' | 'description' | 'category' | 'visibility' | 'watermark' | 'mark_exports'
>

const FLOWS = ['flows'] as const

const PAGE_SIZE = 48
/** The server accepts this many ids in a request. */
export const MAX_FLOW_IDS = 100

type ListQuery = NonNullable<FlowsListVisibleData['query']>

export interface FlowFilters {
  /** Also the user's own drafts and legacy agents, which are not on Home. */
  includeAll: boolean
  /** Only the user's own agents, or only those of others. */
  mine?: boolean
  text?: string
  category?: ListQuery['category']
  /** Agents that take a file of one of these kinds. */
  takes?: ListQuery['takes']
}

/** A list of agents, page by page: featured ones, built-in ones, then the most recently changed. */
export function flowPagesQuery({ includeAll, mine, text, category, takes }: FlowFilters) {
  const query = { include_all: includeAll, mine, q: text?.trim() || undefined, category, takes }
  return infiniteQueryOptions({
    queryKey: [...FLOWS, 'pages', query],
    queryFn: ({ signal, pageParam }) => list({ ...query, limit: PAGE_SIZE, cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  })
}

/** All of the user's own agents, of which there is a limited number. */
export const ownFlowsQuery = queryOptions({
  queryKey: [...FLOWS, 'own'],
  queryFn: async ({ signal }) => (await list({ include_all: true, mine: true }, signal)).items,
})

/** The agents with these ids, at most `MAX_FLOW_IDS`; those that do not exist are left out. */
export function flowsByIdQuery(ids: readonly string[]) {
  return queryOptions({
    queryKey: [...FLOWS, 'ids', ids],
    queryFn: async ({ signal }) => (await list({ include_all: true, flow_ids: [...ids] }, signal)).items,
    placeholderData: keepPreviousData,
  })
}

/** The server answers an array if no page is asked for. */
async function list(query: ListQuery, signal: AbortSignal): Promise<FlowPage> {
  const found = await unwrap(flowsListVisible({ query, signal, throwOnError: true }))
  return Array.isArray(found) ? { items: found, next_cursor: null } : found
}

export function flowQuery(id: string) {
  return queryOptions({
    queryKey: [...FLOWS, 'one', id],
    queryFn: async ({ signal }) => {
      await settledSaves(id)
      return unwrap(flowsGet({ path: { flow_id: id }, signal, throwOnError: true }))
    },
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

type NewFlow = FlowFacts & Pick<FlowCreate, 'flow' | 'from_template'>

/** Creates a draft. A repeated request with the same key returns the first draft. */
export function createFlow(facts: NewFlow, key: string): Promise<FlowDetail> {
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
