import { useDocument, useSession, useSteps } from '@/document/use-session'
import { titleOf } from '@/graph/connect'
import { findNode, parseEnd } from '@/graph/document'
import { indexOf } from '@/graph/graph-index'
import { stepOfNode } from '@/lib/run/subflow-steps'
import { isOver } from '@/lib/run/types'

/** The title of the node that this one waits for in the run under way; null when it waits for none. */
export function useBlockingNode(id: string): string | null {
  const { catalog } = useSession()
  const sources = useDocument((flow) => {
    const feeding = indexOf(flow, catalog).incoming.get(id) ?? []
    return feeding.map((edge) => parseEnd(edge.from).node).join(' ')
  })
  const source = useSteps(`${id} ${sources}`, (run) => {
    const status = stepOfNode(run, id)?.status
    if (isOver(run.status) || (status !== 'pending' && status !== 'queued')) return null
    return sources.split(' ').find((one) => unfinished(stepOfNode(run, one)?.status)) ?? null
  })
  return useDocument((flow) => {
    const node = source && findNode(flow, source)
    return node ? titleOf(node, catalog) : null
  })
}

function unfinished(status: string | undefined): boolean {
  return status !== undefined && status !== 'finished'
}
