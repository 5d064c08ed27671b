import { useDocument, useLive, useSession } from '@/document/use-session'
import { titleOf } from '@/graph/connect'
import { findNode, parseEnd } from '@/graph/document'
import { indexOf } from '@/graph/index-of'
import { stepOf } from '@/lib/run/inner'
import { isOver } from '@/lib/run/types'

/** The title of the node that this one waits for in the run under way; null when it waits for none. */
export function useWaiting(id: string): string | null {
  const { catalogue } = useSession()
  const document = useDocument((flow) => flow)
  const source = useLive((run) => {
    const step = stepOf(run, id)
    if (!step || isOver(run.status) || (step.status !== 'pending' && step.status !== 'queued')) return null
    const feeding = indexOf(document, catalogue).incoming.get(id) ?? []
    const sources = feeding.map((edge) => parseEnd(edge.from).node)
    return sources.find((one) => stepOf(run, one) && stepOf(run, one)?.status !== 'finished') ?? null
  })
  const node = source && findNode(document, source)
  return node ? titleOf(node, catalogue) : null
}
