import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { nodesCatalogue, nodesOptions } from '../api.gen/sdk.gen'
import type { Catalogue } from '../api.gen/types.gen'
import { answer } from './unwrap'

/** The catalogue as the server describes it; `graph/catalogue` gives it its meaning. */
export type NodesAnswer = Catalogue

/** Every node type there is. It changes only when the server starts anew. */
export function nodesQuery() {
  return queryOptions({
    queryKey: ['nodes'],
    queryFn: ({ signal }) => answer(nodesCatalogue({ signal, throwOnError: true })),
    staleTime: 10 * 60_000,
  })
}

/** What a setting may be, as far as only the server (or a provider) knows: voices, models. */
export function optionsQuery(type: string, setting: string, search: string) {
  return queryOptions({
    queryKey: ['nodes', type, 'options', setting, search],
    queryFn: async ({ signal }) => {
      const path = { type_id: type, setting }
      const page = await answer(nodesOptions({ path, query: { q: search }, signal, throwOnError: true }))
      return page.items
    },
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
}
