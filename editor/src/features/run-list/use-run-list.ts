import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ListedRun, newestRunsQuery, type RunFilters, runListQuery } from '@/lib/api/run-list'
import { usePendingDeletions } from '@/lib/with-undo'
import { merged, sinceDays } from './days'

const STATUSES = {
  running: ['queued', 'running'],
  finished: ['finished'],
  failed: ['failed'],
  cancelled: ['cancelled'],
} as const satisfies Record<string, RunFilters['status']>

/** The filters of the page, as they are in the address. `days` is how far back the list goes, with today. */
export type PageFilters = {
  status?: keyof typeof STATUSES | undefined
  days?: 1 | 7 | 30 | undefined
  q?: string | undefined
  flow_id?: string | undefined
  brand_id?: string | undefined
}

/** The runs that match as one list, loaded page by page; live ones are kept up to date. */
export function useRunList({ status, days, q, flow_id, brand_id }: PageFilters) {
  const filters: RunFilters = {
    q,
    flow_id,
    brand_id,
    status: status && [...STATUSES[status]],
    since: days && sinceDays(days),
  }
  const pages = useInfiniteQuery(runListQuery(filters))
  const { data: newest } = useQuery({
    ...newestRunsQuery(filters),
    enabled: pages.isSuccess && !pages.isPlaceholderData,
  })
  const going = usePendingDeletions()
  const runs = useMemo<ListedRun[]>(() => {
    const known = pages.data?.pages.flatMap((page) => page.items) ?? []
    // While another filter loads, the list shows what it had.
    const current = pages.isPlaceholderData ? known : merged(known, newest?.items ?? [])
    return current.filter(({ id }) => !going.has(id))
  }, [pages.data, pages.isPlaceholderData, newest, going])
  return { ...pages, runs }
}
