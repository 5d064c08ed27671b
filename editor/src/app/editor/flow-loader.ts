import { flowQuery } from '@/lib/api/flows'
import { nodesQuery } from '@/lib/api/nodes'
import { fetchFresh, queryClient } from '@/lib/query-client'

/** The agent whose page is about to open, with the time in milliseconds, and the one whose page opened last. */
let entered: { flowId: string; at: number } | null = null
let opened: string | null = null

/** Requests what the page of an agent needs, while its code loads: `preload` for a link that may be followed. */
export function loadFlow(flowId: string, cause: 'preload' | 'enter' | 'stay'): void {
  void queryClient.prefetchQuery(nodesQuery())
  const enters = cause === 'enter' || (cause === 'stay' && flowId !== opened)
  if (!enters) {
    void queryClient.prefetchQuery(flowQuery(flowId))
    return
  }
  entered = { flowId, at: Date.now() }
  // The answer to a preload may be older than the last edit. The page shows the error of a failed request.
  fetchFresh(flowQuery(flowId)).catch(() => undefined)
}

/**
 * Since when an answer is current for the page that now opens, in milliseconds. Infinity for a page that renders again,
 * such as after an error: the agent may have been edited since it was requested.
 */
export function takeEntered(flowId: string): number {
  const at = entered?.flowId === flowId ? entered.at : Number.POSITIVE_INFINITY
  entered = null
  opened = flowId
  return at
}
