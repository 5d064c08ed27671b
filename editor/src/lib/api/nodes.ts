import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { nodesCatalogue, nodesOptions } from '../api.gen/sdk.gen'
import type { Catalogue as Catalog } from '../api.gen/types.gen'
import { unwrap } from './request'

/** The catalog as the server describes it; `graph/catalog` gives it its meaning. */
export type NodesAnswer = Catalog

/** Every node type there is. It changes only when the server starts anew. */
export function nodesQuery() {
  return queryOptions({
    queryKey: ['nodes'],
    queryFn: ({ signal }) => unwrap(nodesCatalogue({ signal, throwOnError: true })),
    staleTime: 10 * 60_000,
  })
}

/** What a setting may be, as far as only the server (or a provider) knows: voices, models. */
export function optionsQuery(type: string, setting: string, search: string) {
  return queryOptions({
    queryKey: ['nodes', type, 'options', setting, search],
    queryFn: async ({ signal }) => {
      const path = { type_id: type, setting }
      const page = await unwrap(nodesOptions({ path, query: { q: search }, signal, throwOnError: true }))
      return page.items
    },
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
}
