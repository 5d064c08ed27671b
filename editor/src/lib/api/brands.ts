import { queryOptions } from '@tanstack/react-query'
import { brandsListOwn } from '../api.gen/sdk.gen'
import type { BrandSummary } from '../api.gen/types.gen'
import { queryClient } from '../query-client'
import { unwrap } from './request'

export type { BrandSummary }

export const BRANDS = ['brands'] as const
const PAGE_SIZE = 100

/** All brands of the user, newest first, and the example at the end. */
export const brandsQuery = queryOptions({
  queryKey: [...BRANDS, 'list'],
  queryFn: async ({ signal }) => {
    const items: BrandSummary[] = []
    let cursor: string | null = null
    do {
      const query: { limit: number; cursor?: string } = cursor
        ? { limit: PAGE_SIZE, cursor }
        : { limit: PAGE_SIZE }
      const page = await unwrap(brandsListOwn({ query, signal, throwOnError: true }))
      items.push(...page.items)
      cursor = page.next_cursor
    } while (cursor)
    return items
  },
})

/** The newest published version of each brand, by id. */
export function versionsOf(brands: readonly BrandSummary[] = []): ReadonlyMap<string, number> {
  return new Map(brands.flatMap(({ id, version }) => (version === null ? [] : [[id, version] as const])))
}

/** The same of the brands that are loaded. */
export function knownBrandVersions(): ReadonlyMap<string, number> {
  return versionsOf(queryClient.getQueryData(brandsQuery.queryKey))
}
