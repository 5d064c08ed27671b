import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api/error'

const transient = (error: Error) => error instanceof ApiError && (error.status === 0 || error.status >= 500)

/** The page's one memory of what the server said. Only failures that may pass are tried again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      retry: (failures, error) => failures < 2 && transient(error),
      retryDelay: (attempt) => Math.min(4000, 400 * 2 ** attempt),
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
})
