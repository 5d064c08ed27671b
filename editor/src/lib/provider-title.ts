import { useQuery } from '@tanstack/react-query'
import { type NodesAnswer, nodesQuery } from './api/nodes'
import { choiceLabel } from './humanize'

/** A provider's title, or a readable form of its id if it is not installed (any more). */
export function providerTitle(catalog: Pick<NodesAnswer, 'providers'> | undefined, id: string): string {
  const installed = catalog?.providers.find((provider) => provider.id === id)
  return installed?.title ?? choiceLabel(id)
}

/** Returns a function that gives the titles of providers, from the server's list of installed ones. */
export function useProviderTitle(): (id: string) => string {
  const { data: catalog } = useQuery(nodesQuery())
  return (id) => providerTitle(catalog, id)
}
