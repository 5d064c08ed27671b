import { useQueries } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useDocument, useSession } from '@/document/use-session'
import { agentKey } from '@/graph/catalog'
import { portsOf } from '@/lib/agents/agent-ports'
import { type FlowDetail, flowQuery } from '@/lib/api/flows'
import { versionPortsQuery } from '@/lib/api/versions'

/**
 * Loads every agent that a node here runs, since its inputs and results are the ports of that node, and each version at
 * which a node holds one.
 */
export function useAgentPorts() {
  const session = useSession()
  const agents = useDocument((flow) => {
    const { catalog } = session
    const keys = flow.nodes.flatMap((node) => {
      const agent = catalog.subflowOf(node)
      return agent === null ? [] : [agentKey(agent, null), agentKey(agent, catalog.versionOf(node))]
    })
    return [...new Set(keys)].join(' ')
  })
  const keys = agents ? agents.split(' ') : []
  const [held, followed] = [keys.filter((key) => key.includes('@')), keys.filter((key) => !key.includes('@'))]
  const flows = useQueries({ queries: followed.map(flowQuery) }).map(({ data }) => data)
  const versions = useQueries({
    queries: held.map((key) => {
      const [flow = '', version = ''] = key.split('@')
      return versionPortsQuery(flow, version)
    }),
  })
  const added = useRef(new Map<string, FlowDetail | object>())
  useEffect(() => {
    const isNew = (key: string, data: object) => {
      if (added.current.get(key) === data) return false
      added.current.set(key, data)
      return true
    }
    for (const flow of flows) {
      if (flow && isNew(flow.id, flow)) session.addAgentPorts(flow.id, portsOf(flow), flow.version)
    }
    for (const [at, { data }] of versions.entries()) {
      const key = held[at]
      if (data && key && isNew(key, data)) session.addAgentPorts(key, portsOf(data))
    }
  }, [flows, versions, held, session])
}
