import { link } from '@/document/actions'
import type { Session } from '@/document/session'
import { judge } from '@/graph/connect'
import type { End, Point } from '@/graph/document'
import { inputPorts, outputPorts, portAt } from '@/graph/ports'
import { acceptsOf, type Side } from './accepting-ports'

/** How a connection begins and where its loose end may come down, whether it is dragged or tapped. */

export interface Loose {
  readonly end: End
  readonly side: Side
}

export function begin(session: Session, { end, side }: Loose, byTap = false) {
  const { document, catalogue } = session
  const node = document.nodes.find((one) => one.id === end.node)
  const pigmentType = portAt(node, catalogue, end, side)?.type ?? 'Any'
  const accepts = acceptsOf(document, catalogue, end, side)
  session.view.setState({ connecting: { end, side, pigmentType, accepts, byTap }, refusal: null })
}

/** Over a card: its first free port that fits takes the edge, or the card says why none does. */
export function landOnCard(session: Session, id: string, { end, side }: Loose, screen: Point): boolean {
  const node = session.document.nodes.find((one) => one.id === id)
  if (!node) return false
  const type = session.catalogue.typeOf(node)
  const ports = side === 'source' ? inputPorts(node, type) : outputPorts(node, type)
  const pairs = ports.map((port) => ordered(end, { node: node.id, port: port.name }, side))
  const taken = new Set(session.document.edges.map((edge) => edge.to))
  const allowed = pairs.filter(({ from, to }) => judge(session.document, session.catalogue, from, to).allowed)
  const free = allowed.find(({ to }) => !taken.has(`${to.node}.${to.port}`)) ?? allowed[0]
  if (free) link(session, free.from, free.to)
  else if (pairs[0] && node.id !== end.node) refuse(session, pairs[0], screen)
  return true
}

/** Says why two ports do not fit; nothing when they do. */
export function refuse(session: Session, { from, to }: { from: End; to: End }, screen: Point) {
  const verdict = judge(session.document, session.catalogue, from, to)
  if (verdict.allowed) return
  const at = session.stage?.at(screen) ?? screen
  session.view.setState({
    refusal: { reason: verdict.reason, bridges: verdict.bridges, from, to, at, screen },
  })
}

export function ordered(end: End, other: End, side: Side): { from: End; to: End } {
  return side === 'source' ? { from: end, to: other } : { from: other, to: end }
}

export function pointOf(event: MouseEvent | TouchEvent): Point {
  const at = 'changedTouches' in event ? event.changedTouches[0] : event
  return { x: at?.clientX ?? 0, y: at?.clientY ?? 0 }
}
