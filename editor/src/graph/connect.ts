import type { Catalog, NodeType } from './catalog'
import { type End, type FlowDocument, type FlowEdge, type FlowNode, formatEnd, parseEnd } from './document'
import { indexOf, mapDepthOf, reaches } from './graph-index'
import { describePort, type Port, portAt } from './ports'

/** A node type that makes the connection possible when inserted between the two ports. */
export interface Bridge {
  readonly type: string
  readonly title: string
  readonly input: string
  readonly output: string
}

/** A port of a refused connection, by the titles that the canvas shows. */
interface RejectedPort extends NamedEnd {
  readonly type: string
}

/** Why two ports cannot be connected; `RejectionText` turns it into a sentence. */
export type RejectionReason =
  | { readonly code: 'missingPort' | 'sameNode' }
  | { readonly code: 'cycle'; readonly source: string; readonly target: string }
  | {
      readonly code: 'typeMismatch' | 'listDepth'
      readonly source: RejectedPort
      readonly target: RejectedPort
    }

export type ConnectionCheck =
  | {
      readonly allowed: true
      /** The automatic conversion, if any. */
      readonly conversion: { readonly from: string; readonly to: string } | null
      /** List levels that the target is mapped over: 1 means once per item. */
      readonly mapDepth: number
      /** The edge that is replaced, since the target accepts only one. */
      readonly replaces: FlowEdge | null
    }
  | { readonly allowed: false; readonly reason: RejectionReason; readonly bridges: readonly Bridge[] }

/** Whether an edge between the two ends is allowed, and its effects. */
export function checkConnection(
  document: FlowDocument,
  catalog: Catalog,
  from: End,
  to: End,
  moving?: FlowEdge,
): ConnectionCheck {
  const index = indexOf(document, catalog)
  const [sourceNode, targetNode] = [index.nodes.get(from.node), index.nodes.get(to.node)]
  const source = portAt(sourceNode, catalog, from, 'source')
  const target = portAt(targetNode, catalog, to, 'target')
  if (!sourceNode || !targetNode || !source || !target) {
    return rejected({ code: 'missingPort' })
  }
  if (from.node === to.node) return rejected({ code: 'sameNode' })
  const [sourceTitle, targetTitle] = [titleOf(sourceNode, catalog), titleOf(targetNode, catalog)]
  if (reaches(index, to.node, from.node)) {
    return rejected({ code: 'cycle', source: sourceTitle, target: targetTitle })
  }
  const ports = () => rejectedPorts({ port: source, node: sourceTitle }, { port: target, node: targetTitle })
  if (!isCompatible(source, target, catalog)) {
    return rejected({ code: 'typeMismatch', ...ports() }, bridges(source, target, catalog))
  }
  const edge = { from: formatEnd(from), to: formatEnd(to) }
  const mapDepth = mapDepthOf(edge, index.nodes, index.mapDepths, catalog)
  const shared =
    target.list &&
    index.incoming
      .get(to.node)
      ?.some((other) => other.to === edge.to && other !== moving && other.from !== edge.from)
  if (mapDepth > 0 && (shared || target.lazy)) {
    return rejected({ code: 'listDepth', ...ports() }, flatteners(target, mapDepth, catalog))
  }
  const rival = target.list ? undefined : index.incoming.get(to.node)?.find((other) => other.to === edge.to)
  return {
    allowed: true,
    conversion: source.type === target.type ? null : convertedBy(source, target, catalog),
    mapDepth,
    replaces: rival && rival !== moving ? rival : null,
  }
}

/** Whether values of one port can enter the other unchanged, converted, or item by item. */
export function isCompatible(
  source: Pick<Port, 'type' | 'list'>,
  target: Pick<Port, 'type' | 'list'>,
  catalog: Catalog,
): boolean {
  return (
    source.type === target.type ||
    target.type === 'Any' ||
    source.type === 'Any' ||
    catalog.canConvert(source.type, target.type)
  )
}

function convertedBy(source: Port, target: Port, catalog: Catalog) {
  return catalog.canConvert(source.type, target.type) ? { from: source.type, to: target.type } : null
}

/**
 * At most three node types that accept the source and output the target type: those without a model first,
 * of these the transforms first.
 */
export function bridges(
  source: Pick<Port, 'type' | 'list'>,
  target: Pick<Port, 'type' | 'list'>,
  catalog: Catalog,
): Bridge[] {
  const found: (Bridge & { uses: NodeType })[] = []
  for (const type of catalog.types) {
    if (type.deprecated) continue
    const exact = (port: { type: string }) => port.type === source.type
    const input = type.inputs.find(exact)
    const output = type.outputs.find((port) => port.type === target.type)
    const others = type.inputs.filter((port) => port.required && port !== input).length
    if (!input || !output || others > 0) continue
    found.push({ type: type.id, title: type.title, input: input.name, output: output.name, uses: type })
  }
  const isOther = ({ uses }: { uses: NodeType }) => Number(uses.category !== 'transform_assets')
  found.sort((one, other) => isOther(one) - isOther(other))
  found.sort((one, other) => Number(one.uses.generative) - Number(other.uses.generative))
  return found.slice(0, 3).map(({ uses: _, ...bridge }) => bridge)
}

/** Node types that make one list of lists, for an input that takes the list as a whole. */
function flatteners(target: Port, mapDepth: number, catalog: Catalog): Bridge[] {
  if (mapDepth > 1 || target.lazy) return []
  return catalog.types.flatMap((type) => {
    const [input, ...others] = type.inputs
    const output = type.outputs.find((port) => depthOf(port) === 1 && isCompatible(port, target, catalog))
    const fits = input?.type === 'Any' && depthOf(input) === 2 && others.length === 0 && !type.deprecated
    return fits && output
      ? [{ type: type.id, title: type.title, input: input.name, output: output.name }]
      : []
  })
}

function depthOf(port: { readonly list: boolean; readonly depth?: number }): number {
  return port.depth ?? Number(port.list)
}

export function titleOf(node: FlowNode, catalog: Catalog): string {
  return node.title || catalog.typeOf(node)?.title || node.type
}

function rejected(reason: RejectionReason, bridges: readonly Bridge[] = []): ConnectionCheck {
  return { allowed: false, reason, bridges }
}

type PortOfNode = { readonly port: Port; readonly node: string }

function rejectedPorts(source: PortOfNode, target: PortOfNode) {
  // Types of two plugins may have the same name: only then their packages tell them apart.
  const qualified = describePort(source.port) === describePort(target.port)
  const describe = ({ port, node }: PortOfNode): RejectedPort => ({
    port: port.title,
    node,
    type: describePort(port, qualified),
  })
  return { source: describe(source), target: describe(target) }
}

type Side = 'source' | 'target'

/** An end of an edge as a label. */
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

/** The two ends of an edge as text; for missing nodes and ports, the names in the edge. */
export function nameEnd(document: FlowDocument, catalog: Catalog, text: string, side: Side): NamedEnd {
  const end = parseEnd(text)
  const node = indexOf(document, catalog).nodes.get(end.node)
  const port = portAt(node, catalog, end, side)
  return { port: port?.title ?? end.port, node: node ? titleOf(node, catalog) : end.node }
}
