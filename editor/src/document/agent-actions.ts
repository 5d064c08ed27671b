import { type AgentUpdate, holdAt } from '@/graph/agent-updates'
import { agentKey, type Ports } from '@/graph/catalog'
import { setSetting } from '@/graph/edits/nodes'
import { portsOf } from '@/lib/agents/agent-ports'
import { flowQuery } from '@/lib/api/flows'
import { fetchFresh } from '@/lib/query-client'
import type { Session } from './session'

/** Edits of the agents that nodes run. */

/** Holds nodes at the newer version of their agent, as one undo step. What it no longer takes stays, as a problem. */
export function updateAgents(
  session: Session,
  nodes: readonly string[],
  { flow, to }: AgentUpdate,
  ports: Ports,
): void {
  session.addAgentPorts(agentKey(flow, to), ports)
  session.edit((document) => holdAt(document, nodes, to))
  session.flow.settle()
}

const choosing = new WeakMap<Session, unknown>()

/**
 * Has a node run another agent: its newest published version, or its draft while there is none. A later choice replaces
 * one that is still loading.
 */
export async function chooseAgent(
  session: Session,
  id: string,
  setting: string,
  flow: unknown,
): Promise<void> {
  const choice = { flow }
  choosing.set(session, choice)
  const agent =
    typeof flow === 'string' && flow ? await fetchFresh(flowQuery(flow)).catch(() => undefined) : undefined
  if (choosing.get(session) !== choice) return
  if (agent) session.addAgentPorts(agent.id, portsOf(agent), agent.version)
  session.edit((document) => holdAt(setSetting(document, id, setting, flow), [id], agent?.version ?? null))
  session.flow.settle()
}
