import { queryOptions } from '@tanstack/react-query'
import { connectionsListAll, connectionsTest } from '../api.gen/sdk.gen'
import type { Connection, ConnectionTest } from '../api.gen/types.gen'
import { unwrap } from './request'

export type { Connection, ConnectionTest }

const TEST_STALE_AFTER_MS = 60_000

/** The providers, how the user can use each, and what it cost this month. */
export const connectionsQuery = queryOptions({
  queryKey: ['connections', 'list'],
  queryFn: async ({ signal }) => (await unwrap(connectionsListAll({ signal, throwOnError: true }))).items,
  staleTime: 0,
})

/** Whether a provider answers. Tested again when the key changes. */
export function connectionTestQuery({ provider, access, key_last_four }: Connection) {
  return queryOptions({
    queryKey: ['connections', 'test', provider, access, key_last_four],
    queryFn: ({ signal }) => unwrap(connectionsTest({ path: { provider }, signal, throwOnError: true })),
    enabled: access !== 'missing',
    staleTime: TEST_STALE_AFTER_MS,
    retry: false,
  })
}
