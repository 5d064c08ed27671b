import type { NodeType } from '@/graph/catalog'
import { checkConnection, edgesAt } from '@/graph/connect'
import { type End, type FlowEdge, findNode, type Point, parseEnd, type Settings } from '@/graph/document'
import { driverSettings } from '@/graph/edits/driver'
import { addInto, bridge, connect, disconnect, insertInto } from '@/graph/edits/edges'
import { costOf } from '@/graph/pairing'
import { inputPorts, outputPorts, type Port, portAt } from '@/graph/ports'
import { addAtFreePlace, freePlaceFor, selectAndFocus } from './actions'
import type { Session } from './session'

/** Edits of edges, and of nodes that are added with an edge. */

type Type = Pick<NodeType, 'id' | 'version'>

/**
 * Adds a node and connects it to the open end of an edge, as one undo step. An input that drives a setting starts with
 * the value that the setting has.
 */
export function insertConnectedNode(
  session: Session,
  type: NodeType,
  at: Point,
  from: { end: End; side: 'source' | 'target' },
): void {
  let id = ''
  session.edit((document) => {
    const added = addAtFreePlace(session, document, type, at, drivingSettings(session, type, from))
    id = added.id
    const node = added.document.nodes.find((candidate) => candidate.id === id)
    if (!node) return added.document
    const start = portAt(findNode(document, from.end.node), session.catalog, from.end, from.side)
    const ports = from.side === 'source' ? inputPorts(node, type) : outputPorts(node, type)
    if (!start) return added.document
    const cost = (port: Port) => (from.side === 'source' ? costOf(start, port) : costOf(port, start))
    for (const port of ports.toSorted((one, other) => cost(one) - cost(other))) {
      const end = { node: id, port: port.name }
      const [source, target] = from.side === 'source' ? [from.end, end] : [end, from.end]
      if (checkConnection(added.document, session.catalog, source, target).allowed) {
        return connect(added.document, session.catalog, source, target)
      }
    }
    return added.document
  })
  if (id) selectAndFocus(session, [id])
}

function drivingSettings(
  { document, catalog }: Session,
  driver: NodeType,
  { end, side }: { end: End; side: 'source' | 'target' },
): Settings {
  const node = findNode(document, end.node)
  const type = node && catalog.typeOf(node)
  if (!type || portAt(node, catalog, end, side)?.kind !== 'setting') return {}
  return driverSettings(driver, node, type, end.port)
}

export function connectPorts(session: Session, from: End, to: End): void {
  session.edit((document) => connect(document, session.catalog, from, to))
}

/** Adds a node in the middle of an edge, between the two cards that it connects. */
export function insertIntoEdge(session: Session, type: Type, edge: FlowEdge): void {
  let id = ''
  session.edit((document) => {
    const added = addInto(document, session.catalog, edge, type, edgeMidpoint(session, edge))
    id = added?.id ?? ''
    return added?.document ?? document
  })
  if (id) selectAndFocus(session, [id])
}

/** Inserts an existing node into an edge. */
export function moveIntoEdge(session: Session, id: string, edge: FlowEdge): void {
  session.edit((document) => insertInto(document, session.catalog, edge, id))
  selectAndFocus(session, [id])
}

function edgeMidpoint(session: Session, edge: FlowEdge): Point {
  const at = (end: string) => findNode(session.document, parseEnd(end).node)?.position ?? { x: 0, y: 0 }
  const [from, to] = [at(edge.from), at(edge.to)]
  return freePlaceFor(session, { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 })
}

/** Removes every edge of a port. */
export function disconnectPort(session: Session, end: End, side: 'source' | 'target'): void {
  session.edit((document) =>
    edgesAt(document, session.catalog, end, side).reduce((rest, edge) => disconnect(rest, edge), document),
  )
}

/** Connects two ports through a new node, at the free place nearest to the desired one. */
export function insertBridge(
  session: Session,
  from: End,
  to: End,
  by: { type: string; input: string; output: string },
  wanted: Point,
): void {
  const at = freePlaceFor(session, wanted)
  session.edit((document) => bridge(document, session.catalog, from, to, by, at)?.document ?? document)
}
