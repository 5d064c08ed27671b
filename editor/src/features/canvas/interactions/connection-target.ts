import type { Session } from '@/document/session'
import type { Catalog } from '@/graph/catalog'
import { checkConnection, isCompatible } from '@/graph/connect'
import { type End, type FlowDocument, formatEnd, type Point, parseEnd } from '@/graph/document'
import { edgeDropOn } from '@/graph/edge-drop'
import { indexOf, reaches } from '@/graph/graph-index'
import { inputPorts, outputPorts, portAt, settingPorts } from '@/graph/ports'
import { connectWithNotice } from './replacement-notice'

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
    const others =
      side === 'source' ? [...inputPorts(node, type), ...settingPorts(node, type)] : outputPorts(node, type)
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

/** The end of an edge that is being drawn, by drag or tap. */
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
    connecting: { end, side, valueType, accepts, byTap },
    rejection: null,
    choice: null,
  })
}

/** Resolves a drop on a card: connects, asks which port is meant, or says why none fits. */
export function connectToCard(session: Session, id: string, { end, side }: LooseEnd, screen: Point): boolean {
  const node = session.document.nodes.find((one) => one.id === id)
  if (!node) return false
  const edgeDrop = edgeDropOn(session.document, session.catalog, node, end, side)
  if (edgeDrop?.kind === 'port') connectWithNotice(session, edgeDrop.option.from, edgeDrop.option.to)
  if (edgeDrop?.kind === 'ask')
    session.view.setState({ choice: { node: id, options: edgeDrop.options, screen } })
  if (edgeDrop?.kind === 'refused') showRejection(session, edgeDrop, screen)
  return true
}

/** Resolves a drop on the row of a setting, outside the canvas. */
export function connectToSetting(session: Session, to: End, { end, side }: LooseEnd, screen: Point): boolean {
  if (side !== 'source') return false
  const pair = { from: end, to }
  if (checkConnection(session.document, session.catalog, end, to).allowed) connectWithNotice(session, end, to)
  else showRejection(session, pair, screen)
  return true
}

/** The setting whose row is at this point of the page. */
export function settingRowAt({ x, y }: Point): End | null {
  const row = window.document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-setting-drop]')
  return row?.dataset.settingDrop ? parseEnd(row.dataset.settingDrop) : null
}

/** The card at this point of the page. */
export function cardAt({ x, y }: Point): HTMLElement | null {
  return window.document.elementFromPoint(x, y)?.closest<HTMLElement>('.react-flow__node-card') ?? null
}

/** Shows, at a point of the page, why two ports do not fit; nothing if they do. */
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
