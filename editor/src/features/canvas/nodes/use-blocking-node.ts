import { useDocument, useSession, useSteps } from '@/document/use-session'
import { titleOf } from '@/graph/connect'
import { findNode, parseEnd } from '@/graph/document'
import { indexOf } from '@/graph/graph-index'
import { stepOf } from '@/lib/run/subflow-steps'
import { isOver } from '@/lib/run/types'

/** The title of the node that this one waits for in the run under way; null when it waits for none. */
export function useWaiting(id: string): string | null {
  const { catalogue } = useSession()
  const sources = useDocument((flow) => {
    const feeding = indexOf(flow, catalogue).incoming.get(id) ?? []
    return feeding.map((edge) => parseEnd(edge.from).node).join(' ')
  })
  const source = useSteps(`${id} ${sources}`, (run) => {
    const status = stepOf(run, id)?.status
    if (isOver(run.status) || (status !== 'pending' && status !== 'queued')) return null
    return sources.split(' ').find((one) => unfinished(stepOf(run, one)?.status)) ?? null
  })
  return useDocument((flow) => {
    const node = source && findNode(flow, source)
    return node ? titleOf(node, catalogue) : null
  })
}

function unfinished(status: string | undefined): boolean {
  return status !== undefined && status !== 'finished'
}
