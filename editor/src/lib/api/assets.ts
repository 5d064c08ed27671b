import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
} from '@tanstack/react-query'
import { assetsDelete, assetsLibrary, assetsListSome, assetsTrace } from '../api.gen/sdk.gen'
import type { Asset, AssetsLibraryData, Trace } from '../api.gen/types.gen'
import { mapWithConcurrency } from '../map-with-concurrency'
import { queryClient } from '../query-client'
import { unwrap } from './request'

export type { Asset, Trace }
export type AssetKind = Asset['kind']

type Query = NonNullable<AssetsLibraryData['query']>
export type LibraryFilters = {
  [Name in Exclude<keyof Query, 'cursor' | 'limit'>]?: NonNullable<Query[Name]> | undefined
}

const ASSETS = ['assets'] as const
/** Signed addresses live for a while; they are asked for again well before they end. */
const STALE_AFTER_MS = 5 * 60_000
/** A page that stays open for longer asks for them anew, so that what is scrolled to can be seen. */
const URL_LIFETIME_MS = 45 * 60_000

/** The assets of these ids; those that are gone are simply not among them. */
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
 * Asks for the newest again. Only the first page of each list is kept: what comes in stands at the top, and asking
 * for a hundred pages again, one after the other, would keep it waiting.
 */
export function refreshLibrary(): Promise<void> {
  queryClient.setQueriesData<Library>(LIBRARY, (known) => known && firstPage(known))
  return queryClient.invalidateQueries(LIBRARY)
}

function firstPage({ pages, pageParams }: Library): Library {
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) }
}

/** Leaves out what is gone from every list that was asked for; the rest stays where it is. */
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
 * Deletes assets, a few at a time; those that went are out of the lists also when others could not. A page that is
 * being left has no later: then all of them are asked for now, and outlive it.
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

/** Reads what made a file from the file itself. */
export function traceFile(file: File): Promise<Trace> {
  return unwrap(assetsTrace({ body: { file }, throwOnError: true }))
}

/** An asset's bytes, through its signed address. */
export async function assetBytes(asset: Pick<Asset, 'url'>): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(asset.url)
  if (!response.ok) throw new Error(`The asset answered ${response.status}.`)
  return new Uint8Array(await response.arrayBuffer())
}
