import { queryOptions } from '@tanstack/react-query'
import {
  collectionsCreate,
  collectionsDelete,
  collectionsListOwn,
  collectionsUpdate,
} from '../api.gen/sdk.gen'
import type { Collection } from '../api.gen/types.gen'
import { invalidate } from '../query-client'
import { refreshCollection } from './assets'
import { unwrap } from './request'

export type { Collection }

const COLLECTIONS = ['collections'] as const
const PAGE_SIZE = 100
/** The most assets that one request takes. */
const MAX_ASSETS = 500

/** All collections of the user, newest first. */
export const collectionsQuery = queryOptions({
  queryKey: COLLECTIONS,
  queryFn: async ({ signal }) => {
    const items: Collection[] = []
    let cursor: string | null = null
    do {
      const query: { limit: number; cursor: string | null } = { limit: PAGE_SIZE, cursor }
      const page = await unwrap(collectionsListOwn({ query, signal, throwOnError: true }))
      items.push(...page.items)
      cursor = page.next_cursor
    } while (cursor)
    return items
  },
})

/** Creates a collection. A repeat with the same key returns the first one. */
export async function createCollection(name: string, key: string): Promise<Collection> {
  const headers = { 'Idempotency-Key': key }
  const made = await unwrap(collectionsCreate({ body: { name }, headers, throwOnError: true }))
  await refreshCollections()
  return made
}

export async function renameCollection(id: string, name: string): Promise<void> {
  await collectionsUpdate({ path: { collection_id: id }, body: { name }, throwOnError: true })
  await refreshCollections()
}

/** Puts assets into a collection; those in it stay. */
export function addToCollection(id: string, assetIds: readonly string[]): Promise<void> {
  return changeAssets(id, assetIds, (part) => ({ add_asset_ids: part }))
}

/** Takes assets out of a collection; they stay in the library. */
export function removeFromCollection(id: string, assetIds: readonly string[]): Promise<void> {
  return changeAssets(id, assetIds, (part) => ({ remove_asset_ids: part }))
}

async function changeAssets(
  id: string,
  assetIds: readonly string[],
  bodyOf: (part: string[]) => { add_asset_ids: string[] } | { remove_asset_ids: string[] },
): Promise<void> {
  for (let start = 0; start < assetIds.length; start += MAX_ASSETS) {
    const body = bodyOf(assetIds.slice(start, start + MAX_ASSETS))
    await collectionsUpdate({ path: { collection_id: id }, body, throwOnError: true })
  }
  await Promise.all([refreshCollections(), refreshCollection(id)])
}

export async function deleteCollection(id: string, leaving = false): Promise<void> {
  await collectionsDelete({ path: { collection_id: id }, keepalive: leaving, throwOnError: true })
  await refreshCollections()
}

function refreshCollections(): Promise<void> {
  return invalidate({ queryKey: COLLECTIONS })
}
