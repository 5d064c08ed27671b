import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Asset, type LibraryFilters, libraryQuery } from '@/lib/api/assets'
import { usePendingDeletions } from '@/lib/with-undo'

/** The library as one long list, page after page as it is asked for. */
export function useLibrary(filters: LibraryFilters) {
  const query = useInfiniteQuery(libraryQuery(filters))
  const going = usePendingDeletions()
  const assets = useMemo<Asset[]>(
    () => (query.data?.pages ?? []).flatMap((page) => page.items).filter(({ id }) => !going.has(id)),
    [query.data, going],
  )
  return { ...query, assets }
}
