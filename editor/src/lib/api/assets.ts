import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
} from '@tanstack/react-query'
import {
  assetsDelete,
  assetsGet,
  assetsLibrary,
  assetsListSome,
  assetsReadCredentials,
} from '../api.gen/sdk.gen'
import type { Asset, AssetCredentials, AssetsLibraryData, Trace } from '../api.gen/types.gen'
import { mapWithConcurrency } from '../map-with-concurrency'
import { invalidate, queryClient } from '../query-client'
import { unwrap } from './request'

export type { Asset, AssetCredentials, Trace }
export type AssetKind = Asset['kind']

type Query = NonNullable<AssetsLibraryData['query']>
export type LibraryFilters = {
  [Name in Exclude<keyof Query, 'cursor' | 'limit'>]?: NonNullable<Query[Name]> | undefined
}

const ASSETS = ['assets'] as const
/** Signed URLs expire; they are fetched again well before that. */
const STALE_AFTER_MS = 5 * 60_000
/** An open page refetches the URLs at this interval, so that images scrolled into view still load. */
const URL_LIFETIME_MS = 45 * 60_000

/** The assets with these ids; ids that no longer exist are left out. */
export function assetsQuery(ids: readonly string[]) {
  const sorted = [...new Set(ids)].sort()
  return queryOptions({
    queryKey: [...ASSETS, 'list', sorted],
    queryFn: ({ signal }) =>
      unwrap(assetsListSome({ query: { asset_ids: sorted }, signal, throwOnError: true })),
    placeholderData: keepPreviousData,
    staleTime: STALE_AFTER_MS,
    refetchInterval: STALE_AFTER_MS,
  })
}

/** One asset as it is now. */
export function assetQuery(id: string) {
  return queryOptions({
    queryKey: [...ASSETS, 'one', id],
    queryFn: ({ signal }) => unwrap(assetsGet({ path: { asset_id: id }, signal, throwOnError: true })),
    staleTime: STALE_AFTER_MS,
  })
}

/** The content credentials of an asset, verified by the server now. */
export function credentialsQuery(id: string) {
  return queryOptions({
    queryKey: [...ASSETS, 'credentials', id],
    queryFn: ({ signal }) =>
      unwrap(assetsReadCredentials({ path: { asset_id: id }, signal, throwOnError: true })),
    staleTime: STALE_AFTER_MS,
  })
}

const PAGE_SIZE = 100

export function libraryQuery(filters: LibraryFilters) {
  return infiniteQueryOptions({
    queryKey: [...ASSETS, 'library', filters],
    queryFn: ({ signal, pageParam }) =>
      unwrap(
        assetsLibrary({
          query: { ...filters, cursor: pageParam, limit: PAGE_SIZE },
          signal,
          throwOnError: true,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: STALE_AFTER_MS,
    refetchInterval: URL_LIFETIME_MS,
  })
}

type Library = InfiniteData<Awaited<ReturnType<NonNullable<ReturnType<typeof libraryQuery>['queryFn']>>>>
const LIBRARY = { queryKey: [...ASSETS, 'library'] }

/**
 * Refetches the newest assets. Only the first page of each list is kept: new assets are at the top, and refetching
 * a hundred pages one after the other would be slow.
 */
export function refreshLibrary(): Promise<void> {
  queryClient.setQueriesData<Library>(LIBRARY, (known) => known && firstPage(known))
  return invalidate(LIBRARY)
}

function firstPage({ pages, pageParams }: Library): Library {
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) }
}

/** Fetches the list of a collection again, after its assets have changed. */
export function refreshCollection(id: string): Promise<void> {
  return invalidate({
    ...LIBRARY,
    predicate: ({ queryKey }) => filtersOf(queryKey)?.collection_id === id,
  })
}

/** Fetches lists that are filtered by labels again when they are next opened; the list in view keeps its assets. */
export function expireLabelLists(): Promise<void> {
  return invalidate({
    ...LIBRARY,
    predicate: ({ queryKey }) => Boolean(filtersOf(queryKey)?.favourite || filtersOf(queryKey)?.tag),
    refetchType: 'none',
  })
}

function filtersOf(queryKey: readonly unknown[]): LibraryFilters | undefined {
  return queryKey[2] as LibraryFilters | undefined
}

/** Changes assets in every cached list. */
export function updateCachedAssets(change: (asset: Asset) => Asset): void {
  queryClient.setQueriesData<Library>(
    LIBRARY,
    (known) =>
      known && {
        ...known,
        pages: known.pages.map((page) => ({ ...page, items: page.items.map(change) })),
      },
  )
  queryClient.setQueriesData<Asset[]>({ queryKey: [...ASSETS, 'list'] }, (known) => known?.map(change))
  queryClient.setQueriesData<Asset>({ queryKey: [...ASSETS, 'one'] }, (known) => known && change(known))
}

/** Removes deleted assets from every cached list. */
function forgetAssets(ids: ReadonlySet<string>): void {
  queryClient.setQueriesData<Library>(
    LIBRARY,
    (known) =>
      known && {
        ...known,
        pages: known.pages.map((page) => ({
          ...page,
          items: page.items.filter(({ id }) => !ids.has(id)),
        })),
      },
  )
}

/**
 * Deletes assets, a few at a time; the deleted ones leave the cached lists even if others fail. While the page is
 * being left, all requests are sent at once with keepalive.
 */
export async function deleteAssets(ids: readonly string[], leaving = false): Promise<void> {
  const gone = new Set<string>()
  const remove = async (id: string) => {
    await assetsDelete({ path: { asset_id: id }, keepalive: leaving, throwOnError: true })
    gone.add(id)
  }
  try {
    await mapWithConcurrency(ids, remove, leaving ? ids.length : undefined)
  } finally {
    forgetAssets(gone)
  }
}

/** Image formats that browsers other than Safari do not show. */
const THUMBNAIL_ONLY = new Set(['image/heic', 'image/heif', 'image/tiff'])

/** The address of an image at full size; that of its thumbnail if browsers cannot show the file itself. */
export function imageUrl(asset: Asset): string {
  return THUMBNAIL_ONLY.has(asset.media_type) ? (asset.thumbnail_url ?? asset.url) : asset.url
}
