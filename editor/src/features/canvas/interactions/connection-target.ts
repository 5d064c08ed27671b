import { connectPorts } from '@/document/actions'
import type { Session } from '@/document/session'
import { checkConnection } from '@/graph/connect'
import type { End, Point } from '@/graph/document'
import { inputPorts, outputPorts, portAt } from '@/graph/ports'
import { acceptingPorts, type Side } from './accepting-ports'

/** How a connection begins and where its loose end may come down, whether it is dragged or tapped. */

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

/** Over a card: its first free port that fits takes the edge, or the card says why none does. */
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

/** Says why two ports do not fit; nothing when they do. */
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
