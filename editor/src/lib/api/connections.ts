import { queryOptions } from '@tanstack/react-query'
import {
  connectionsListAll,
  connectionsListLocalServers,
  connectionsStopUsingLocalServer,
  connectionsTest,
  connectionsUseLocalServer,
} from '../api.gen/sdk.gen'
import type { Connection, ConnectionPage, ConnectionTest, LocalServer } from '../api.gen/types.gen'
import { invalidate } from '../query-client'
import { unwrap } from './request'

export type { Connection, ConnectionTest, LocalServer }

const TEST_STALE_AFTER_MS = 60_000
const SEARCH_POLL_MS = 700

const connectionPageQuery = queryOptions({
  queryKey: ['connections', 'list'],
  queryFn: ({ signal }) => unwrap(connectionsListAll({ signal, throwOnError: true })),
  staleTime: 0,
})

/** The providers, how the user can use each, and what it cost this month. */
export const connectionsQuery = queryOptions({
  ...connectionPageQuery,
  select: ({ items }: ConnectionPage) => items,
})

/** What providers that are no longer installed cost this month. */
export const uninstalledSpendingQuery = queryOptions({
  ...connectionPageQuery,
  select: ({ uninstalled }: ConnectionPage) => uninstalled,
})

/** Whether a provider answers. Tested again when the key changes. */
export function connectionTestQuery({ provider, access, key_last_four, address }: Connection) {
  return queryOptions({
    queryKey: ['connections', 'test', provider, access, key_last_four, address],
    queryFn: ({ signal }) => unwrap(connectionsTest({ path: { provider }, signal, throwOnError: true })),
    enabled: access !== 'missing',
    staleTime: TEST_STALE_AFTER_MS,
    retry: false,
  })
}

/** The model servers on the server's machine, for admins; asked again while they are looked for. */
export const localServersQuery = queryOptions({
  queryKey: ['connections', 'local-servers'],
  queryFn: ({ signal }) => unwrap(connectionsListLocalServers({ signal, throwOnError: true })),
  refetchInterval: ({ state }) => (state.data?.state === 'searching' ? SEARCH_POLL_MS : false),
  staleTime: 0,
  retry: false,
})

export async function chooseLocalServer(provider: string, address: string): Promise<void> {
  await connectionsUseLocalServer({ path: { provider }, body: { address }, throwOnError: true })
  await refresh()
}

export async function stopUsingLocalServer(provider: string): Promise<void> {
  await connectionsStopUsingLocalServer({ path: { provider }, throwOnError: true })
  await refresh()
}

async function refresh(): Promise<void> {
  await Promise.all([invalidate({ queryKey: ['connections'] }), invalidate({ queryKey: ['nodes'] })])
}
