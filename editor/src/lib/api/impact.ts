import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  AffectedAsset,
  AffectedAssetPage,
  Cancelled,
  Decided,
  Impact,
  ImpactGroup,
  Quote,
  Regeneration,
  RegenerationPage,
  Started,
} from '../api.gen/types.gen'
import { invalidate } from '../query-client'
import { BRANDS } from './brands'
import { isApiError } from './error'
import { request } from './request'

// The generated client is one module, which the first page loads: these calls are made without it.

export type { AffectedAsset, Impact, ImpactGroup, Regeneration }

/** Assets to make again: some of an agent's, or all of them. */
export type Selection = { asset_ids: string[]; flow_ids: string[] }

const IMPACT = [...BRANDS, 'impact'] as const
const POLL_MS = 2000
const QUEUE_MS = 5000
const FIRST_ASSETS = 8
const REGENERATIONS = 60

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
  return infiniteQueryOptions({
    queryKey: [...IMPACT, id, 'regenerations'],
    queryFn: ({ pageParam, signal }) =>
      request<RegenerationPage>('GET', at(id, '/regenerations'), {
        query: { limit: REGENERATIONS, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: (query) =>
      query.state.data?.pages.some(({ items }) => items.some(({ state }) => state === 'running'))
        ? POLL_MS
        : false,
  })
}

export type Progress = { started: number; leftOut: number; reason: string | null }

/**
 * Makes assets again, batch by batch; waits while the queue of runs is full. Each batch is reported. Until
 * `signal` stops it: what is not started stays affected.
 *
 * `key` is the idempotency key: a repeat with the same one gets the responses of the batches that were started, and
 * continues after them.
 */
export async function regenerate(
  id: string,
  version: number,
  selection: Selection,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
  key: string,
): Promise<Progress> {
  let batches = 0
  let progress: Progress = { started: 0, leftOut: 0, reason: null }
  let cursor: string | null = null
  let isDone = false
  while (!isDone && !signal.aborted) {
    try {
      const batch: Started = await request<Started>('POST', at(id, '/regenerations'), {
        body: { version, ...selection, cursor },
        idempotencyKey: `${key}-${batches}`,
      })
      batches += 1
      progress = {
        started: progress.started + batch.regenerations.length,
        leftOut: progress.leftOut + batch.left_out,
        reason: batch.reason ?? progress.reason,
      }
      cursor = batch.next_cursor
      isDone = cursor === null
      onProgress(progress)
    } catch (error) {
      if (isApiError(error, 'queued_runs_limit')) await pause(QUEUE_MS, signal)
      // The last batch may have nothing left that can be made again.
      else if (isApiError(error, 'nothing_to_regenerate') && progress.started > 0) isDone = true
      else throw error
    } finally {
      await invalidate({ queryKey: IMPACT })
    }
  }
  return progress
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}

export async function cancelRegeneration(id: string): Promise<void> {
  await request<Cancelled>('POST', at(id, '/regenerations/cancel'))
  await invalidate({ queryKey: IMPACT })
}

export async function decide(id: string, ids: string[], state: 'replaced' | 'kept' | 'ready'): Promise<void> {
  await request<Decided>('POST', at(id, '/regenerations/decisions'), { body: { ids, state } })
  await invalidate({ queryKey: IMPACT })
}
