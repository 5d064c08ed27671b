import { type FetchQueryOptions, QueryClient, type QueryKey } from '@tanstack/react-query'
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

const OTHER_TABS = 'impasto.flows'
const otherTabs =
  typeof window !== 'undefined' && 'BroadcastChannel' in window ? new BroadcastChannel(OTHER_TABS) : null
const invalidateHere = () => queryClient.invalidateQueries({ queryKey: ['flows'] })
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
