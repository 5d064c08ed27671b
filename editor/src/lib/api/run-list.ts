/** The list of all runs; apart from `runs`, which the first page loads. */
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
} from '@tanstack/react-query'
import { runsDelete, runsListRuns, runsTotals } from '../api.gen/sdk.gen'
import type { ListedRun, RunPage, RunSummary, RunsListRunsData } from '../api.gen/types.gen'
import { invalidate, queryClient } from '../query-client'
import { unwrap } from './request'
import { runQuery } from './runs'

export type { ListedRun }

type ListQuery = NonNullable<RunsListRunsData['query']>
export type RunFilters = {
  [Name in 'flow_id' | 'status' | 'brand_id' | 'q' | 'since']?: NonNullable<ListQuery[Name]> | undefined
}

const LISTS = ['runs', 'lists'] as const
const LIST_PAGE_SIZE = 50
const LIVE_POLL_MS = 3000
/** Within it a list that has just been read is not read again. */
const FRESH_MS = 1000
const IDLE_POLL_MS = 30_000

/**
 * The runs that match, newest first, in pages. A page is read once; `newestRunsQuery` has what changes, which begins
 * with the first page.
 */
export function runListQuery(filters: RunFilters) {
  return infiniteQueryOptions({
    queryKey: [...LISTS, 'pages', filters],
    queryFn: async ({ pageParam, signal }) => {
      const page = await listRuns(filters, LIST_PAGE_SIZE, signal, pageParam)
      if (pageParam === null) queryClient.setQueryData(newestRunsQuery(filters).queryKey, page)
      return page
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The newest runs that match, refetched often while one of them is live. */
export function newestRunsQuery(filters: RunFilters) {
  return queryOptions({
    queryKey: [...LISTS, 'newest', filters],
    queryFn: ({ signal }) => listRuns(filters, LIST_PAGE_SIZE, signal),
    staleTime: FRESH_MS,
    refetchInterval: ({ state }) => (state.data?.items.some(isLive) ? LIVE_POLL_MS : IDLE_POLL_MS),
  })
}

function listRuns(filters: RunFilters, limit: number, signal: AbortSignal, cursor: string | null = null) {
  const query = { ...filters, limit, cursor: cursor ?? undefined }
  return unwrap(runsListRuns({ query, signal, throwOnError: true }))
}

export function isLive({ status }: Pick<RunSummary, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

export const runTotalsQuery = queryOptions({
  queryKey: [...LISTS, 'totals'],
  queryFn: ({ signal }) => unwrap(runsTotals({ signal, throwOnError: true })),
  staleTime: FRESH_MS,
})

/** Deletes a run and takes it out of the cached lists. */
export async function deleteRun(id: string, leaving = false): Promise<void> {
  await runsDelete({ path: { run_id: id }, keepalive: leaving, throwOnError: true })
  const without = (page: RunPage) => ({ ...page, items: page.items.filter((run) => run.id !== id) })
  queryClient.setQueriesData<InfiniteData<RunPage>>(
    { queryKey: [...LISTS, 'pages'] },
    (known) => known && { ...known, pages: known.pages.map(without) },
  )
  queryClient.setQueriesData<RunPage>({ queryKey: [...LISTS, 'newest'] }, (known) => known && without(known))
  queryClient.removeQueries({ queryKey: runQuery(id).queryKey })
  void invalidate({ queryKey: ['runs', 'list'] })
}
