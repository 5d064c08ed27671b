import { type AgentUpdate, holdAt } from '@/graph/agent-updates'
import { CARD_SIZE } from '@/graph/card-size'
import { agentKey, type Ports } from '@/graph/catalog'
import { type FlowDocument, findNode } from '@/graph/document'
import { bounds } from '@/graph/edits/arrange'
import { dissolveAgent } from '@/graph/edits/dissolve'
import { setSetting } from '@/graph/edits/nodes'
import type { Promotion } from '@/graph/edits/promotions'
import { type Extraction, type ExtractionRefusal, toAgent } from '@/graph/edits/to-agent'
import { portsOf } from '@/lib/agents/agent-ports'
import { type FlowDetail, flowQuery } from '@/lib/api/flows'
import { fetchFresh } from '@/lib/query-client'
import { freePlaceFor, selectAndFocus } from './actions'
import type { Session } from './session'

/** Edits that make an agent of nodes, and the nodes of an agent that a node runs. */

/** The selected nodes and notes as an agent of this name, or why they cannot become one. */
export function extractSelected(
  session: Session,
  name: string,
  promoted?: readonly Promotion[],
): Extraction | ExtractionRefusal {
  const { nodes } = session.view.getState()
  return toAgent(session.document, session.catalog, new Set(nodes), name, promoted)
}

/**
 * Replaces the nodes that moved into a new agent by one node that runs it, as one undo step. The node holds this version
 * of the agent; with null, it follows the newest.
 */
export function replaceByAgent(
  session: Session,
  extraction: Extraction,
  agent: FlowDetail,
  version: number | null,
): void {
  session.addAgentPorts(agent.id, portsOf(agent), version)
  if (version !== null) session.addAgentPorts(agentKey(agent.id, version), portsOf(agent))
  const before = new Set(session.document.nodes.map(({ id }) => id))
  session.edit(() => extraction.outer(agent.id, version))
  session.flow.settle()
  selectAndFocus(
    session,
    session.document.nodes.flatMap(({ id }) => (before.has(id) ? [] : [id])),
  )
}

/** Replaces a node that runs an agent by the nodes of that agent's document, as one undo step. */
export function dissolve(session: Session, id: string, inner: FlowDocument): void {
  const node = findNode(session.document, id)
  if (!node) return
  const size = bounds(inner.nodes.map(({ position }) => ({ ...position, ...CARD_SIZE })))
  const at = inner.nodes.length > 0 ? freePlaceFor(session, node.position, size) : node.position
  let ids: readonly string[] = []
  session.edit((document) => {
    const dissolved = dissolveAgent(document, session.catalog, id, inner, at)
    ids = dissolved.ids
    return dissolved.document
  })
  session.flow.settle()
  selectAndFocus(session, ids)
}

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
