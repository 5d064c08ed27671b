import { connectPorts } from '@/document/actions'
import type { Session } from '@/document/session'
import type { Catalog } from '@/graph/catalog'
import { checkConnection, isCompatible } from '@/graph/connect'
import { type End, type FlowDocument, formatEnd, type Point } from '@/graph/document'
import { indexOf, reaches } from '@/graph/graph-index'
import { inputPorts, outputPorts, portAt } from '@/graph/ports'

export type Side = 'source' | 'target'

/** Every port that accepts the other end of an edge, as `side:node.port`. */
export function acceptingPorts(document: FlowDocument, catalog: Catalog, end: End, side: Side): Set<string> {
  const index = indexOf(document, catalog)
  const port = portAt(index.nodes.get(end.node), catalog, end, side)
  const found = new Set<string>()
  if (!port) return found
  for (const node of document.nodes) {
    if (node.id === end.node) continue
    const type = catalog.typeOf(node)
    const others = side === 'source' ? inputPorts(node, type) : outputPorts(node, type)
    const fitting = others.filter((other) =>
      side === 'source' ? isCompatible(port, other, catalog) : isCompatible(other, port, catalog),
    )
    if (fitting.length === 0 || wouldMakeCycle(index, end.node, node.id, side)) continue
    for (const other of fitting) {
      found.add(`${opposite(side)}:${formatEnd({ node: node.id, port: other.name })}`)
    }
  }
  return found
}

export function opposite(side: Side): Side {
  return side === 'source' ? 'target' : 'source'
}

function wouldMakeCycle(index: ReturnType<typeof indexOf>, mine: string, other: string, side: Side): boolean {
  return side === 'source' ? reaches(index, other, mine) : reaches(index, mine, other)
}

/** Handlers for starting and dropping a connection, by drag or tap. */

export interface LooseEnd {
  readonly end: End
  readonly side: Side
}

export function beginConnection(session: Session, { end, side }: LooseEnd, byTap = false) {
  const { document, catalog } = session
  const node = document.nodes.find((one) => one.id === end.node)
  const valueType = portAt(node, catalog, end, side)?.type ?? 'Any'
  const accepts = acceptingPorts(document, catalog, end, side)
  session.view.setState({
    connecting: { end, side, valueType: valueType, accepts, byTap },
    rejection: null,
  })
}

/** Resolves a drop on a card: its first free port that fits, or else the reason why none fits. */
export function connectToCard(session: Session, id: string, { end, side }: LooseEnd, screen: Point): boolean {
  const node = session.document.nodes.find((one) => one.id === id)
  if (!node) return false
  const type = session.catalog.typeOf(node)
  const ports = side === 'source' ? inputPorts(node, type) : outputPorts(node, type)
  const pairs = ports.map((port) => orderedEnds(end, { node: node.id, port: port.name }, side))
  const taken = new Set(session.document.edges.map((edge) => edge.to))
  const allowed = pairs.filter(
    ({ from, to }) => checkConnection(session.document, session.catalog, from, to).allowed,
  )
  const free = allowed.find(({ to }) => !taken.has(`${to.node}.${to.port}`)) ?? allowed[0]
  if (free) connectPorts(session, free.from, free.to)
  else if (pairs[0] && node.id !== end.node) showRejection(session, pairs[0], screen)
  return true
}

/** The reason why two ports do not fit; null when they do. */
export function showRejection(session: Session, { from, to }: { from: End; to: End }, screen: Point) {
  const verdict = checkConnection(session.document, session.catalog, from, to)
  if (verdict.allowed) return
  const at = session.viewport?.toFlowPosition(screen) ?? screen
  session.view.setState({
    rejection: { reason: verdict.reason, bridges: verdict.bridges, from, to, at, screen },
  })
}

export function orderedEnds(end: End, other: End, side: Side): { from: End; to: End } {
  return side === 'source' ? { from: end, to: other } : { from: other, to: end }
}

export function pointOf(event: MouseEvent | TouchEvent): Point {
  const at = 'changedTouches' in event ? event.changedTouches[0] : event
  return { x: at?.clientX ?? 0, y: at?.clientY ?? 0 }
}
