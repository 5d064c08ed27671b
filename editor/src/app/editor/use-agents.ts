import { useQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useDocument, useSession } from '@/document/use-session'
import { portsOf } from '@/lib/agents/agent-ports'
import { flowQuery } from '@/lib/api/flows'

/** Loads every agent that a node here runs, since its inputs and results are the ports of that node. */
export function useAgentPorts() {
  const session = useSession()
  const flows = useDocument((flow) =>
    [...new Set(flow.nodes.flatMap((node) => flowOf(session, node) ?? []))].join(' '),
  )
  const queries = flows ? flows.split(' ').map(flowQuery) : []
  const found = useQueries({ queries }).map(({ data }) => data)
  useEffect(() => {
    for (const flow of found)
      if (flow && !session.hasAgentPorts(flow.id)) session.addAgentPorts(flow.id, portsOf(flow))
  }, [found, session])
}

type Session = ReturnType<typeof useSession>
type Node = Session['document']['nodes'][number]

function flowOf({ catalog }: Session, node: Node): string | null {
  const setting = catalog.type(node.type)?.subflow
  const flow = setting ? node.settings[setting] : null
  return typeof flow === 'string' && flow ? flow : null
}
