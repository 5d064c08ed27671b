import { queryOptions } from '@tanstack/react-query'
import { assetsEdit, assetsTags } from '../api.gen/sdk.gen'
import type { Tag } from '../api.gen/types.gen'
import { invalidate } from '../query-client'
import { type Asset, expireLabelLists, updateCachedAssets } from './assets'
import { unwrap } from './request'

const TAGS = ['asset-tags'] as const
const PAGE_SIZE = 100
/** The most assets that one request takes. */
const MAX_ASSETS = 500

/** All tags of the user's assets, in alphabetical order. */
export const tagsQuery = queryOptions({
  queryKey: TAGS,
  queryFn: async ({ signal }) => {
    const items: Tag[] = []
    let cursor: string | null = null
    do {
      const query: { limit: number; cursor: string | null } = { limit: PAGE_SIZE, cursor }
      const page = await unwrap(assetsTags({ query, signal, throwOnError: true }))
      items.push(...page.items)
      cursor = page.next_cursor
    } while (cursor)
    return items
  },
})

type LabelChange = { favourite?: boolean; add_tags?: string[]; remove_tags?: string[] }

/** Marks assets as favourites or not; shown at once, and taken back if the server refuses. */
export async function setFavourite(assets: readonly Asset[], favourite: boolean): Promise<void> {
  const changed = assets.filter((asset) => asset.favourite !== favourite)
  show(changed.map((asset) => ({ ...asset, favourite })))
  try {
    await editAssets(changed, { favourite })
  } catch (error) {
    show(changed)
    throw error
  }
}

/** Adds a tag to all of the assets. */
export function addTag(assets: readonly Asset[], name: string): Promise<void> {
  return changeTags(assets, { add_tags: [name] })
}

/** Removes a tag from all of the assets. */
export function removeTag(assets: readonly Asset[], name: string): Promise<void> {
  return changeTags(assets, { remove_tags: [name] })
}

async function changeTags(assets: readonly Asset[], change: LabelChange): Promise<void> {
  await editAssets(assets, change)
  await invalidate({ queryKey: TAGS })
}

async function editAssets(assets: readonly Asset[], change: LabelChange): Promise<void> {
  for (let start = 0; start < assets.length; start += MAX_ASSETS) {
    const asset_ids = assets.slice(start, start + MAX_ASSETS).map(({ id }) => id)
    show(await unwrap(assetsEdit({ body: { asset_ids, ...change }, throwOnError: true })))
  }
  await expireLabelLists()
}

/** Shows the labels of these assets in every list; their signed URLs stay, so that no image loads again. */
function show(edited: readonly Asset[]): void {
  const labels = new Map(edited.map(({ id, favourite, tags }) => [id, { favourite, tags }]))
  updateCachedAssets((asset) => {
    const change = labels.get(asset.id)
    return change ? { ...asset, ...change } : asset
  })
}
