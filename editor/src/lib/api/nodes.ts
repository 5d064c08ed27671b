import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { nodesCatalogue, nodesOptions } from '../api.gen/sdk.gen'
import type { Catalogue as Catalog } from '../api.gen/types.gen'
import { unwrap } from './request'

/** The node catalog as the server returns it; `graph/catalog` interprets it. */
export type NodesAnswer = Catalog

/** All node types. They change only when the server restarts. */
export function nodesQuery() {
  return queryOptions({
    queryKey: ['nodes'],
    queryFn: ({ signal }) => unwrap(nodesCatalogue({ signal, throwOnError: true })),
    staleTime: 10 * 60_000,
  })
}

/**
 * The options of a setting that only the server or a provider knows, such as voices and models, and the state of each
 * provider that was asked.
 */
export function optionsQuery(type: string, setting: string, search: string) {
  return queryOptions({
    queryKey: ['nodes', type, 'options', setting, search],
    queryFn: async ({ signal }) => {
      const path = { type_id: type, setting }
      return unwrap(nodesOptions({ path, query: { q: search }, signal, throwOnError: true }))
    },
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
}

/** The node types that generate something different each time. */
export function generativeTypes(catalog: NodesAnswer): ReadonlySet<string> {
  const types = catalog.types as { id: string; generative?: boolean }[]
  return new Set(types.filter((type) => type.generative).map(({ id }) => id))
}
