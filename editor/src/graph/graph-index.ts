import type { Catalog } from './catalog'
import { type FlowDocument, type FlowEdge, type FlowNode, parseEnd } from './document'
import { portAt } from './ports'

/** Lookups over one document, built once per revision. */
export interface GraphIndex {
  readonly nodes: ReadonlyMap<string, FlowNode>
  readonly incoming: ReadonlyMap<string, readonly FlowEdge[]>
  readonly outgoing: ReadonlyMap<string, readonly FlowEdge[]>
  /** Number of list levels that each node is mapped over: 0 runs once, 1 once per item. */
  readonly mapDepths: ReadonlyMap<string, number>
}

const cache = new WeakMap<FlowDocument, { catalog: Catalog; index: GraphIndex }>()

export function indexOf(document: FlowDocument, catalog: Catalog): GraphIndex {
  const cached = cache.get(document)
  if (cached?.catalog === catalog) return cached.index
  const index = build(document, catalog)
  cache.set(document, { catalog, index })
  return index
}

function build(document: FlowDocument, catalog: Catalog): GraphIndex {
  const nodes = new Map(document.nodes.map((node) => [node.id, node]))
  const { incoming, outgoing } = endsOf(document.edges)
  const mapDepths = new Map<string, number>()
  for (const id of topological(nodes, incoming, outgoing)) {
    const over = (incoming.get(id) ?? []).map((edge) => mapDepthOf(edge, nodes, mapDepths, catalog))
    mapDepths.set(id, Math.max(0, ...over))
  }
  return { nodes, incoming, outgoing, mapDepths }
}

type Ends = Pick<GraphIndex, 'incoming' | 'outgoing'>

/** Most edits change a node and no edge. */
const endsCache = new WeakMap<readonly FlowEdge[], Ends>()

function endsOf(edges: readonly FlowEdge[]): Ends {
  const cached = endsCache.get(edges)
  if (cached) return cached
  const incoming = groupBy(edges, (edge) => parseEnd(edge.to).node)
  const outgoing = groupBy(edges, (edge) => parseEnd(edge.from).node)
  const ends = { incoming, outgoing }
  endsCache.set(edges, ends)
  return ends
}

/** Number of list levels that an edge makes its target map over. */
export function mapDepthOf(
  edge: FlowEdge,
  nodes: ReadonlyMap<string, FlowNode>,
  mapDepths: ReadonlyMap<string, number>,
  catalog: Catalog,
): number {
  const from = parseEnd(edge.from)
  const to = parseEnd(edge.to)
  const source = portAt(nodes.get(from.node), catalog, from, 'source')
  const target = portAt(nodes.get(to.node), catalog, to, 'target')
  if (!source || !target) return 0
  return Math.max(0, source.depth + (mapDepths.get(from.node) ?? 0) - target.depth)
}

/** Topological order (Kahn); nodes on a cycle come last, in document order. */
function topological(
  nodes: ReadonlyMap<string, FlowNode>,
  incoming: ReadonlyMap<string, readonly FlowEdge[]>,
  outgoing: ReadonlyMap<string, readonly FlowEdge[]>,
): string[] {
  const left = new Map([...nodes.keys()].map((id) => [id, incoming.get(id)?.length ?? 0]))
  const order = [...nodes.keys()].filter((id) => left.get(id) === 0)
  for (let at = 0; at < order.length; at++) {
    for (const edge of outgoing.get(order[at] as string) ?? []) {
      const next = parseEnd(edge.to).node
      const count = (left.get(next) ?? 0) - 1
      left.set(next, count)
      if (count === 0 && nodes.has(next)) order.push(next)
    }
  }
  const placed = new Set(order)
  return [...order, ...[...nodes.keys()].filter((id) => !placed.has(id))]
}

/** Whether a path of edges leads from one node to the other. */
export function reaches(index: GraphIndex, from: string, to: string): boolean {
  const seen = new Set([from])
  const queue = [from]
  for (const id of queue) {
    if (id === to) return true
    for (const edge of index.outgoing.get(id) ?? []) {
      const next = parseEnd(edge.to).node
      if (!seen.has(next)) seen.add(next) && queue.push(next)
    }
  }
  return false
}

function groupBy(edges: readonly FlowEdge[], key: (edge: FlowEdge) => string): Map<string, FlowEdge[]> {
  const groups = new Map<string, FlowEdge[]>()
  for (const edge of edges) {
    const at = key(edge)
    const group = groups.get(at)
    if (group) group.push(edge)
    else groups.set(at, [edge])
  }
  return groups
}
