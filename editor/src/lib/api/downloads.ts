import { queryOptions } from '@tanstack/react-query'
import {
  connectionsDownload,
  connectionsListDownloads,
  connectionsRemoveDownload,
  connectionsShowDownload,
} from '../api.gen/sdk.gen'
import type { Download } from '../api.gen/types.gen'
import { invalidate, queryClient } from '../query-client'
import { unwrap } from './request'

export type { Download }

const POLL_MS = 1000
const queryKey = (provider: string) => ['connections', 'downloads', provider]

/** The models that a provider offers for the server's machine, for admins; asked again while one arrives. */
export function downloadsQuery(provider: string) {
  return queryOptions({
    queryKey: queryKey(provider),
    queryFn: async ({ signal }) =>
      (await unwrap(connectionsListDownloads({ path: { provider }, signal, throwOnError: true }))).items,
    refetchInterval: ({ state }) =>
      state.data?.some((one) => one.state === 'downloading') ? POLL_MS : false,
    staleTime: 0,
  })
}

/** What the model hub states of a model: asked when a download is considered. */
export function downloadDetailsQuery(provider: string, model: string) {
  return queryOptions({
    queryKey: [...queryKey(provider), model],
    queryFn: ({ signal }) =>
      unwrap(connectionsShowDownload({ path: { provider, model }, signal, throwOnError: true })),
    retry: false,
    gcTime: 0,
  })
}

export async function startDownload(provider: string, model: string, sha256: string): Promise<void> {
  const found = await unwrap(
    connectionsDownload({ path: { provider, model }, body: { sha256 }, throwOnError: true }),
  )
  queryClient.setQueryData(queryKey(provider), found.items)
}

/** Stops a download and keeps what has arrived, or deletes a model that is on the machine. */
export async function removeDownload(provider: string, model: string): Promise<void> {
  await connectionsRemoveDownload({ path: { provider, model }, throwOnError: true })
  await invalidate({ queryKey: queryKey(provider), exact: true })
}
