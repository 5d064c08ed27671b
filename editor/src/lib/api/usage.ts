import { queryOptions } from '@tanstack/react-query'
import { usersUsage } from '../api.gen/sdk.gen'
import type { LimitUsage, Usage } from '../api.gen/types.gen'
import { unwrap } from './request'

export type { LimitUsage, Usage }

/** The user's limits and how much of each is used. Always fetched again: runs and uploads change it. */
export const usageQuery = queryOptions({
  queryKey: ['users', 'usage'],
  queryFn: ({ signal }): Promise<Usage> => unwrap(usersUsage({ signal, throwOnError: true })),
  staleTime: 0,
})
