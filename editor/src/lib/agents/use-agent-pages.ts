import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type FlowFilters, type FlowSummary, flowPagesQuery } from '@/lib/api/flows'

type Options = { enabled?: boolean }

/** The agents of a list that are loaded, and what is needed to load more. */
export function useAgentPages(filters: FlowFilters, { enabled = true }: Options = {}) {
  const query = useInfiniteQuery({ ...flowPagesQuery(filters), enabled })
  const { data } = query
  const agents = useMemo(() => withoutRepeats(data?.pages.flatMap(({ items }) => items) ?? []), [data])
  return { ...query, agents }
}

/** An agent that is changed while pages are loaded moves in the list, and may be on two of them. */
function withoutRepeats(agents: readonly FlowSummary[]): FlowSummary[] {
  return [...new Map(agents.map((agent) => [agent.id, agent])).values()]
}
