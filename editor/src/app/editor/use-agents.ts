import { useQueries } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useDocument, useSession } from '@/document/use-session'
import { portsOf } from '@/lib/agents/agent-ports'
import { type FlowDetail, flowQuery } from '@/lib/api/flows'

/** Loads every agent that a node here runs, since its inputs and results are the ports of that node. */
export function useAgentPorts() {
  const session = useSession()
  const flows = useDocument((flow) =>
    [...new Set(flow.nodes.flatMap((node) => session.catalog.subflowOf(node) ?? []))].join(' '),
  )
  const queries = flows ? flows.split(' ').map(flowQuery) : []
  const found = useQueries({ queries }).map(({ data }) => data)
  const added = useRef(new Map<string, FlowDetail>())
  useEffect(() => {
    for (const flow of found) {
      if (!flow || added.current.get(flow.id) === flow) continue
      added.current.set(flow.id, flow)
      session.addAgentPorts(flow.id, portsOf(flow))
    }
  }, [found, session])
}
