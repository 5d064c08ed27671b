import { type FetchQueryOptions, QueryClient, type QueryKey } from '@tanstack/react-query'
import { ApiError } from './api/error'

const isTransient = (error: Error) => error instanceof ApiError && (error.status === 0 || error.status >= 500)

/** The page's one memory of what the server said. Only failures that may pass are tried again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      retry: (failures, error) => failures < 2 && isTransient(error),
      retryDelay: (attempt) => Math.min(4000, 400 * 2 ** attempt),
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
})

/**
 * Asks the server now and takes no answer that is already on its way (the page asks again by itself when it comes back
 * to a connection or to the front): that one may be older than what has just been learnt.
 */
export async function fetchFresh<Data, Key extends QueryKey>(
  options: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  await queryClient.cancelQueries({ queryKey: options.queryKey, exact: true })
  return queryClient.fetchQuery({ ...options, staleTime: 0 })
}
