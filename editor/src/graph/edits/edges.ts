import type { Catalog, NodeType, PortType } from '../catalog'
import { checkConnection } from '../connect'
import {
  type End,
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  formatEnd,
  type Point,
  parseEnd,
} from '../document'
import { inputPorts, outputPorts, type Port } from '../ports'
import { addNode } from './nodes'

/** Adds an edge; replaces the edge of a single input. A refused connection changes nothing. */
export function connect(document: FlowDocument, catalog: Catalog, from: End, to: End): FlowDocument {
  const verdict = checkConnection(document, catalog, from, to)
  if (!verdict.allowed) return document
  const edge = { from: formatEnd(from), to: formatEnd(to) }
  if (document.edges.some((other) => other.from === edge.from && other.to === edge.to)) {
    return document
  }
  const remaining = document.edges.filter((other) => other !== verdict.replaces)
  return { ...document, edges: [...remaining, edge] }
}

export function disconnect(document: FlowDocument, edge: FlowEdge): FlowDocument {
  const edges = document.edges.filter((other) => other.from !== edge.from || other.to !== edge.to)
  return edges.length === document.edges.length ? document : { ...document, edges }
}

/** Removes the edges of ports whose item was removed from a setting of the node. */
export function withoutLostItems(document: FlowDocument, catalog: Catalog, id: string): FlowDocument {
  const node = document.nodes.find((one) => one.id === id)
  const type = node && catalog.typeOf(node)
  if (!node) return document
  const isLost = lostPorts(type?.outputs ?? [], outputPorts(node, type))
  const isLostInput = lostPorts(type?.inputs ?? [], inputPorts(node, type))
  const edges = document.edges.filter((edge) => {
    const [from, to] = [parseEnd(edge.from), parseEnd(edge.to)]
    return !(from.node === id && isLost(from.port)) && !(to.node === id && isLostInput(to.port))
  })
  return edges.length === document.edges.length ? document : { ...document, edges }
}

function lostPorts(declared: readonly PortType[], shown: readonly Port[]): (name: string) => boolean {
  const names = new Set(shown.map((port) => port.name))
  const lost = new Set(declared.map((port) => port.name).filter((name) => !names.has(name)))
  return (name) => lost.has(name)
}

/** Moves one end of an edge and keeps its other keys. */
export function reconnect(
  document: FlowDocument,
  catalog: Catalog,
  edge: FlowEdge,
  from: End,
  to: End,
): FlowDocument {
  const without = disconnect(document, edge)
  const verdict = checkConnection(without, catalog, from, to)
  if (!verdict.allowed) return document
  const moved = { ...edge, from: formatEnd(from), to: formatEnd(to) }
  return { ...without, edges: [...without.edges.filter((other) => other !== verdict.replaces), moved] }
}

/** Inserts a node into an edge: `a -> b` becomes `a -> node -> b` if both halves are allowed. */
export function insertInto(
  document: FlowDocument,
  catalog: Catalog,
  edge: FlowEdge,
  id: string,
): FlowDocument {
  const node = document.nodes.find((candidate) => candidate.id === id)
  const type = node && catalog.typeOf(node)
  if (!node || !type) return document
  const without = disconnect(document, edge)
  const [from, to] = [parseEnd(edge.from), parseEnd(edge.to)]
  const taken = new Set(without.edges.map((other) => other.to))
  for (const input of inputPorts(node, type)) {
    const entry = { node: id, port: input.name }
    if (taken.has(formatEnd(entry)) || !checkConnection(without, catalog, from, entry).allowed) continue
    const entered = connect(without, catalog, from, entry)
    for (const output of outputPorts(node, type)) {
      const exit = { node: id, port: output.name }
      if (checkConnection(entered, catalog, exit, to).allowed) return connect(entered, catalog, exit, to)
    }
  }
  return document
}

/** Adds a node in the middle of an edge; null where it does not fit. */
export function addInto(
  document: FlowDocument,
  catalog: Catalog,
  edge: FlowEdge,
  type: Pick<NodeType, 'id' | 'version'>,
  position: Point,
): { document: FlowDocument; id: string } | null {
  const added = addNode(document, type, position)
  const wired = insertInto(added.document, catalog, edge, added.id)
  return wired === added.document ? null : { document: wired, id: added.id }
}

/** The unconnected nodes that fit into an edge. */
export function freeFor(document: FlowDocument, catalog: Catalog, edge: FlowEdge): readonly FlowNode[] {
  const ends = document.edges.flatMap(({ from, to }) => [parseEnd(from).node, parseEnd(to).node])
  const wired = new Set(ends)
  const fits = ({ id }: FlowNode) => insertInto(document, catalog, edge, id) !== document
  return document.nodes.filter((node) => !wired.has(node.id) && fits(node))
}

/** Adds a node between two ports that do not fit directly. */
export function bridge(
  document: FlowDocument,
  catalog: Catalog,
  from: End,
  to: End,
  by: { readonly type: string; readonly input: string; readonly output: string },
  position: Point,
): { document: FlowDocument; id: string } | null {
  const type = catalog.type(by.type)
  if (!type) return null
  const added = addNode(document, type, position)
  const first = connect(added.document, catalog, from, { node: added.id, port: by.input })
  const both = connect(first, catalog, { node: added.id, port: by.output }, to)
  return { document: both, id: added.id }
}
