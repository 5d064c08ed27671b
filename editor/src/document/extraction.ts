import { CARD_SIZE } from '@/graph/card-size'
import { agentKey } from '@/graph/catalog'
import { type FlowDocument, findNode } from '@/graph/document'
import { bounds } from '@/graph/edits/arrange'
import { dissolveAgent } from '@/graph/edits/dissolve'
import type { Promotion } from '@/graph/edits/promotions'
import { type Extraction, type ExtractionRefusal, toAgent } from '@/graph/edits/to-agent'
import { portsOf } from '@/lib/agents/agent-ports'
import type { FlowDetail } from '@/lib/api/flows'
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
  let ids: readonly string[] = []
  session.edit((document) => {
    const dissolved = dissolveAgent(document, session.catalog, id, inner, (nodes) => {
      const size = bounds(nodes.map(({ position }) => ({ ...position, ...CARD_SIZE })))
      return freePlaceFor(session, node.position, size, id)
    })
    ids = dissolved.ids
    return dissolved.document
  })
  session.flow.settle()
  selectAndFocus(session, ids)
}
