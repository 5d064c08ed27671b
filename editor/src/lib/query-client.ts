import {
  type FetchQueryOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import { ApiError } from './api/error'

const isTransient = (error: Error) => error instanceof ApiError && (error.status === 0 || error.status >= 500)

/** The cache of server responses. Only transient failures are retried. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      retry: (failures, error) => failures < 2 && isTransient(error),
      retryDelay: (attempt) => Math.min(4000, 400 * 2 ** attempt),
      refetchOnWindowFocus: true,
    },
    // Offline a change fails at once. Paused, it would be sent later, when the user no longer expects it.
    mutations: { retry: false, networkMode: 'always' },
  },
})

/**
 * Marks the queries as out of date and refetches those in use; call it after a change, not `invalidateQueries`: React
 * Query lets a first load that is under way finish, and its response may be older than the change. Here such a load
 * starts again.
 */
export function invalidate(filters: InvalidateQueryFilters = {}): Promise<void> {
  const loading = queryClient.getQueryCache().findAll({
    ...filters,
    fetchStatus: 'fetching',
    predicate: (query) => query.state.data === undefined && (filters.predicate?.(query) ?? true),
  })
  for (const query of loading) {
    // Silent: callers that await the load get the response of the second request.
    void query.cancel({ silent: true })
    query.fetch().catch(() => undefined)
  }
  return queryClient.invalidateQueries(filters)
}

const OTHER_TABS = 'impasto.flows'
const otherTabs =
  typeof window !== 'undefined' && 'BroadcastChannel' in window ? new BroadcastChannel(OTHER_TABS) : null
const invalidateHere = () => invalidate({ queryKey: ['flows'] })
otherTabs?.addEventListener('message', () => void invalidateHere())

/** Refetches agents and lists of agents, here and in the other open tabs; call it after every change of an agent. */
export function invalidateFlows(): Promise<void> {
  otherTabs?.postMessage(null)
  return invalidateHere()
}

/**
 * Refetches now and ignores a pending response (a refetch on focus or reconnect may be running): it may be older
 * than the change.
 */
export async function fetchFresh<Data, Key extends QueryKey>(
  options: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  await queryClient.cancelQueries({ queryKey: options.queryKey, exact: true })
  return queryClient.fetchQuery({ ...options, staleTime: 0 })
}
