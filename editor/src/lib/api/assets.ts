import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { assetsDelete, assetsLibrary, assetsListSome, assetsTrace } from '../api.gen/sdk.gen'
import type { Asset, AssetsLibraryData, Trace } from '../api.gen/types.gen'
import { queryClient } from '../query-client'
import { answer } from './answer'

export type { Asset, Trace }
export type AssetKind = Asset['kind']

type Query = NonNullable<AssetsLibraryData['query']>
export type LibraryFilters = {
  [Name in Exclude<keyof Query, 'cursor' | 'limit'>]?: NonNullable<Query[Name]> | undefined
}

const ASSETS = ['assets'] as const
/** Signed addresses live for a while; they are asked for again well before they end. */
const FRESH = 5 * 60_000

/** The assets of these ids; those that are gone are simply not among them. */
export function assetsQuery(ids: readonly string[]) {
  const sorted = [...new Set(ids)].sort()
  return queryOptions({
    queryKey: [...ASSETS, 'list', sorted],
    queryFn: ({ signal }) =>
      answer(assetsListSome({ query: { asset_ids: sorted }, signal, throwOnError: true })),
    placeholderData: keepPreviousData,
    staleTime: FRESH,
    refetchInterval: FRESH,
  })
}

const PAGE = 100

export function libraryQuery(filters: LibraryFilters) {
  return infiniteQueryOptions({
    queryKey: [...ASSETS, 'library', filters],
    queryFn: ({ signal, pageParam }) =>
      answer(
        assetsLibrary({ query: { ...filters, cursor: pageParam, limit: PAGE }, signal, throwOnError: true }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: FRESH,
  })
}

export function refreshLibrary(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [...ASSETS, 'library'] })
}

export async function deleteAsset(id: string): Promise<void> {
  await assetsDelete({ path: { asset_id: id }, throwOnError: true })
}

/** Reads what made a file from the file itself. */
export function traceFile(file: File): Promise<Trace> {
  return answer(assetsTrace({ body: { file }, throwOnError: true }))
}

/** An asset's bytes, through its signed address. */
export async function assetBytes(asset: Pick<Asset, 'url'>): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(asset.url)
  if (!response.ok) throw new Error(`The asset answered ${response.status}.`)
  return new Uint8Array(await response.arrayBuffer())
}
