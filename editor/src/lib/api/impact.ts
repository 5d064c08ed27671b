import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  AffectedAsset,
  AffectedAssetPage,
  Decided,
  Impact,
  ImpactGroup,
  Quote,
  Regeneration,
  RegenerationPage,
  Started,
} from '../api.gen/types.gen'
import { queryClient } from '../query-client'
import { BRANDS } from './brands'
import { request } from './request'

// The generated client is one module, which the first page loads: these calls are made without it.

export type { AffectedAsset, Impact, ImpactGroup, Regeneration }

/** Assets to make again: some of an agent's, or all of them. */
export type Selection = { asset_ids: string[]; flow_ids: string[] }

const IMPACT = [...BRANDS, 'impact'] as const
const POLL_MS = 2000
const FIRST_ASSETS = 8

const at = (id: string, rest: string) => `/brands/${encodeURIComponent(id)}${rest}`

/** The assets that the draft, or the newest version, changes. `state` is what the brand was when it was asked. */
export function impactQuery(id: string, state: string) {
  return queryOptions({
    queryKey: [...IMPACT, id, 'summary', state],
    queryFn: ({ signal }) => request<Impact>('GET', at(id, '/impact'), { signal }),
    placeholderData: keepPreviousData,
  })
}

export function affectedQuery(id: string, version: string, flowId: string | null) {
  return infiniteQueryOptions({
    queryKey: [...IMPACT, id, 'assets', version, flowId],
    queryFn: ({ pageParam, signal }) =>
      request<AffectedAssetPage>('GET', at(id, '/impact/assets'), {
        query: {
          version,
          flow_id: flowId ?? '',
          limit: pageParam ? 100 : FIRST_ASSETS,
          ...(pageParam && { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  })
}

export function quoteQuery(id: string, version: number, selection: Selection) {
  return queryOptions({
    queryKey: [...IMPACT, id, 'quote', version, selection],
    queryFn: ({ signal }) =>
      request<Quote>('POST', at(id, '/impact/quote'), { body: { version, ...selection }, signal }),
    placeholderData: keepPreviousData,
    enabled: selection.asset_ids.length > 0 || selection.flow_ids.length > 0,
  })
}

/** Assets before and after, asked again while one of them is being made. */
export function regenerationsQuery(id: string) {
  return queryOptions({
    queryKey: [...IMPACT, id, 'regenerations'],
    queryFn: ({ signal }) =>
      request<RegenerationPage>('GET', at(id, '/regenerations'), { query: { limit: 100 }, signal }),
    refetchInterval: (query) =>
      query.state.data?.items.some(({ state }) => state === 'running') ? POLL_MS : false,
  })
}

export async function regenerate(id: string, version: number, selection: Selection): Promise<Started> {
  const started = await request<Started>('POST', at(id, '/regenerations'), {
    body: { version, ...selection },
  })
  await queryClient.invalidateQueries({ queryKey: IMPACT })
  return started
}

export async function decide(id: string, ids: string[], state: 'replaced' | 'kept' | 'ready'): Promise<void> {
  await request<Decided>('POST', at(id, '/regenerations/decisions'), { body: { ids, state } })
  await queryClient.invalidateQueries({ queryKey: IMPACT })
}
