import type { Catalog } from './catalog'
import { titleOf } from './connect'
import { type End, type FlowDocument, type FlowEdge, parseEnd } from './document'
import { indexOf } from './graph-index'
import { portAt } from './ports'

type Side = 'source' | 'target'

/** An end of an edge as people call it. */
export interface NamedEnd {
  readonly port: string
  readonly node: string
}

/** The edges at a port. */
export function edgesAt(document: FlowDocument, catalog: Catalog, end: End, side: Side): readonly FlowEdge[] {
  const { incoming, outgoing } = indexOf(document, catalog)
  const all = (side === 'source' ? outgoing : incoming).get(end.node) ?? []
  return all.filter((edge) => parseEnd(side === 'source' ? edge.from : edge.to).port === end.port)
}

/** What an edge joins, in words; ends that are gone keep the names that the edge has for them. */
export function nameEnd(document: FlowDocument, catalog: Catalog, text: string, side: Side): NamedEnd {
  const end = parseEnd(text)
  const node = indexOf(document, catalog).nodes.get(end.node)
  const port = portAt(node, catalog, end, side)
  return { port: port?.title ?? end.port, node: node ? titleOf(node, catalog) : end.node }
}
