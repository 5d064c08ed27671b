import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { assetsCreateVersion, assetsListSome, assetsListVersions } from '../api.gen/sdk.gen'
import type { Layout, VersionRequest } from '../api.gen/types.gen'
import { invalidate } from '../query-client'
import { type Asset, assetsQuery, deleteAssets, refreshLibrary } from './assets'
import { unwrap } from './request'

export type { Layout, VersionRequest }

/** The assets with these ids, and their newer versions. */
export function assetsWithVersionsQuery(ids: readonly string[]) {
  const sorted = [...new Set(ids)].sort()
  return queryOptions({
    ...assetsQuery(ids),
    queryKey: ['assets', 'list', 'with versions', sorted],
    queryFn: ({ signal }) =>
      unwrap(assetsListSome({ query: { asset_ids: sorted, with_newer: true }, signal, throwOnError: true })),
  })
}

/** All versions of an asset, oldest first, and what can be changed in the newest. */
export function versionsQuery(id: string) {
  return queryOptions({
    queryKey: ['assets', 'versions', id],
    queryFn: ({ signal }) =>
      unwrap(assetsListVersions({ path: { asset_id: id }, signal, throwOnError: true })),
    placeholderData: keepPreviousData,
  })
}

/** Makes a new version of an asset. A repeated request with the same key returns the first version. */
export async function createVersion(id: string, body: VersionRequest, key: string): Promise<Asset> {
  const headers = { 'Idempotency-Key': key }
  const made = await unwrap(
    assetsCreateVersion({ path: { asset_id: id }, body, headers, throwOnError: true }),
  )
  await refreshVersions()
  return made
}

/** Deletes the newest version, so that the one before it is the newest again. */
export async function undoVersion(id: string): Promise<void> {
  await deleteAssets([id])
  await refreshVersions()
}

async function refreshVersions(): Promise<void> {
  await Promise.all([
    invalidate({ queryKey: ['assets', 'versions'] }),
    invalidate({ queryKey: ['assets', 'list'] }),
    invalidate({ queryKey: ['assets', 'one'] }),
    refreshLibrary(),
  ])
}

/** Returns, for an asset, its newest version among known assets. */
export function newestOf(known: ReadonlyMap<string, Asset>, id: string): Asset | undefined {
  let found = known.get(id)
  const seen = new Set<string>()
  while (found?.replaced_by_id && !seen.has(found.id)) {
    seen.add(found.id)
    const next = known.get(found.replaced_by_id)
    if (!next) break
    found = next
  }
  return found
}
