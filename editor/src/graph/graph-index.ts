import type { Catalog } from './catalog'
import { type FlowDocument, type FlowEdge, type FlowNode, parseEnd } from './document'
import { hasSamePorts, portAt } from './ports'

/** Lookups over one document, built once per revision. */
export interface GraphIndex {
  readonly nodes: ReadonlyMap<string, FlowNode>
  readonly incoming: ReadonlyMap<string, readonly FlowEdge[]>
  readonly outgoing: ReadonlyMap<string, readonly FlowEdge[]>
  /**
   * Number of list levels that each node is mapped over: 0 runs once, 1 once per item. The same object as before as long as
   * no edge and no port changes.
   */
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
  const ends = endsOf(document.edges)
  const { incoming, outgoing } = ends
  const { last } = ends
  if (last && hasSameDepths(last, document, catalog)) {
    ends.last = { ...last, nodes: document.nodes }
    return { nodes, incoming, outgoing, mapDepths: last.mapDepths }
  }
  const mapDepths = new Map<string, number>()
  for (const id of topological(nodes, incoming, outgoing)) {
    const over = (incoming.get(id) ?? []).map((edge) => mapDepthOf(edge, nodes, mapDepths, catalog))
    mapDepths.set(id, Math.max(0, ...over))
  }
  ends.last = { nodes: document.nodes, catalog, mapDepths }
  return { nodes, incoming, outgoing, mapDepths }
}

interface Depths extends Pick<GraphIndex, 'mapDepths'> {
  readonly nodes: readonly FlowNode[]
  readonly catalog: Catalog
}

function hasSameDepths(
  { nodes, catalog: before }: Depths,
  document: FlowDocument,
  catalog: Catalog,
): boolean {
  if (before !== catalog || nodes.length !== document.nodes.length) return false
  return document.nodes.every((node, at) => {
    const old = nodes[at] as FlowNode
    return old === node || (old.id === node.id && hasSamePorts(old, node, catalog))
  })
}

interface Ends extends Pick<GraphIndex, 'incoming' | 'outgoing'> {
  /** The depths with these edges, as they were found last. */
  last?: Depths
}

/** Most edits change a node and no edge. */
const endsCache = new WeakMap<readonly FlowEdge[], Ends>()

function endsOf(edges: readonly FlowEdge[]): Ends {
  const cached = endsCache.get(edges)
  if (cached) return cached
  const incoming = groupBy(edges, (edge) => parseEnd(edge.to).node)
  const outgoing = groupBy(edges, (edge) => parseEnd(edge.from).node)
  const ends: Ends = { incoming, outgoing }
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
