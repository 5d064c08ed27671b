import { cardSize } from '@/graph/card-size'
import {
  type FlowDocument,
  type FlowNode,
  findNode,
  freshId,
  notesOf,
  type Point,
  parseEnd,
} from '@/graph/document'
import { withoutLostItems } from '@/graph/edits/edges'
import { freePlace, GAP } from '@/graph/edits/free-place'
import { parseDocument } from '@/graph/parse'
import { nodeOf } from '@/lib/run/step'
import { stepOfNode } from '@/lib/run/subflow-steps'
import type { StepState } from '@/lib/run/types'
import { hasSettings } from './comparison'
import type { Session } from './session'

/** The further variants of the comparison that have finished, as nodes of its document. */
export function finishedVariants(session: Session): FlowNode[] {
  const { run } = session.comparer.store.getState()
  if (!run?.comparison || run.flow === undefined) return []
  const document = parseDocument(run.flow)
  const live = session.comparer.live.getState()
  return run.comparison.steps.slice(1).flatMap((step) => {
    const isFinished = stepOfNode(live, step)?.status === 'finished'
    return (isFinished && findNode(document, step)) || []
  })
}

/**
 * Adds a node for each further variant that has finished, with its settings and the connections into the compared node,
 * as one undo step. Their results are on their cards; the compared node stays as it is. Returns the ids of all of them,
 * that of the compared node first; none if it is gone.
 */
export function keepAsNodes(session: Session): string[] {
  const { run } = session.comparer.store.getState()
  const comparison = run?.comparison
  const node = comparison && findNode(session.document, comparison.node)
  const variants = finishedVariants(session)
  if (!node || variants.length === 0) return []
  const ids = new Map<string, string>()
  session.edit((document) => {
    let flow = document
    let above = node
    for (const variant of variants) {
      const added = copyOf(node, variant, flow, placeBelow(session, flow, above))
      above = added
      ids.set(variant.id, added.id)
      const edges = flow.edges
        .filter(({ to }) => parseEnd(to).node === node.id)
        .map((edge) => ({ ...edge, to: `${added.id}.${parseEnd(edge.to).port}` }))
      flow = { ...flow, nodes: [...flow.nodes, added], edges: [...flow.edges, ...edges] }
      flow = withoutLostItems(flow, session.catalog, added.id)
    }
    return flow
  })
  session.flow.settle()
  // Its result is shown only if its settings are those with which it ran.
  const compared = findNode(run?.flow as FlowDocument, node.id)
  if (compared && hasSettings(node, compared)) ids.set(node.id, node.id)
  session.runner.adopt(renamedSteps(session, ids))
  return [...new Set([node.id, ...ids.values()])]
}

function copyOf(node: FlowNode, variant: FlowNode, flow: FlowDocument, position: Point): FlowNode {
  const { type, version, settings, title, variables } = variant
  const id = freshId(variant.id, new Set(flow.nodes.map((one) => one.id)))
  return {
    id,
    type,
    version,
    settings,
    position,
    ...(title && { title }),
    ...(node.variables && variables && Object.keys(variables).length > 0 && { variables }),
  }
}

/** The free place below a node that is nearest to it, among the nodes of a document. */
function placeBelow(session: Session, flow: FlowDocument, node: FlowNode): Point {
  const sizeOf = (one: FlowNode) => cardSize(one, flow, session.catalog)
  const size = sizeOf(node)
  const cards = flow.nodes.map((one) => ({ ...one.position, ...sizeOf(one) }))
  const notes = notesOf(flow).map((note) => ({ ...note.position, ...note.size }))
  const wanted = { x: node.position.x, y: node.position.y + size.height + GAP }
  return freePlace(wanted, size, [...cards, ...notes])
}

function renamedSteps(session: Session, ids: ReadonlyMap<string, string>): StepState[] {
  const { order, steps } = session.comparer.live.getState()
  return order.flatMap((id) => {
    const [step, node] = [steps[id], ids.get(nodeOf(id))]
    return step && node ? [{ ...step, id: node + id.slice(nodeOf(id).length) }] : []
  })
}
