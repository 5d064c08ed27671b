import type { Catalogue } from './catalog'
import { type End, type FlowDocument, type FlowEdge, type FlowNode, formatEnd } from './document'
import { indexOf, liftOver, reaches } from './graph-index'
import { describePort, type Port, portAt } from './ports'

/** A node type that, set between the two ports, would make the connection possible. */
export interface Bridge {
  readonly type: string
  readonly title: string
  readonly input: string
  readonly output: string
}

export type Verdict =
  | {
      readonly allowed: true
      /** The conversion that happens by itself on the way, if any. */
      readonly conversion: { readonly from: string; readonly to: string } | null
      /** List layers that the target will be lifted over: 1 means once an item. */
      readonly lift: number
      /** The edge that gives way, since the target holds only one. */
      readonly replaces: FlowEdge | null
    }
  | { readonly allowed: false; readonly reason: string; readonly bridges: readonly Bridge[] }

/** Whether an edge may be drawn between the two ends of this document, and what it would mean. */
export function judge(
  document: FlowDocument,
  catalogue: Catalogue,
  from: End,
  to: End,
  moving?: FlowEdge,
): Verdict {
  const index = indexOf(document, catalogue)
  const [sourceNode, targetNode] = [index.nodes.get(from.node), index.nodes.get(to.node)]
  const source = portAt(sourceNode, catalogue, from, 'source')
  const target = portAt(targetNode, catalogue, to, 'target')
  if (!sourceNode || !targetNode || !source || !target) {
    return refuse('One end of this connection is not there any more.')
  }
  if (from.node === to.node) return refuse('A node cannot feed itself.')
  if (reaches(index, to.node, from.node)) return refuse(circle(sourceNode, targetNode, catalogue))
  if (!fits(source, target, catalogue)) {
    return {
      allowed: false,
      reason: mismatch(sourceNode, source, targetNode, target, catalogue),
      bridges: bridges(source, target, catalogue),
    }
  }
  const edge = { from: formatEnd(from), to: formatEnd(to) }
  const lift = liftOver(edge, index.nodes, index.lifts, catalogue)
  const shared =
    target.list &&
    index.incoming
      .get(to.node)
      ?.some((other) => other.to === edge.to && other !== moving && other.from !== edge.from)
  if (lift > 0 && (shared || target.lazy)) {
    return refuse(tooDeep(sourceNode, source, targetNode, target, catalogue))
  }
  const rival = target.list ? undefined : index.incoming.get(to.node)?.find((other) => other.to === edge.to)
  return {
    allowed: true,
    conversion: source.type === target.type ? null : convertedBy(source, target, catalogue),
    lift,
    replaces: rival && rival !== moving ? rival : null,
  }
}

/** Whether values of one port can enter the other, by themselves, converted, or item by item. */
export function fits(
  source: Pick<Port, 'type' | 'list'>,
  target: Pick<Port, 'type' | 'list'>,
  catalogue: Catalogue,
): boolean {
  return (
    source.type === target.type ||
    target.type === 'Any' ||
    source.type === 'Any' ||
    catalogue.converts(source.type, target.type)
  )
}

function convertedBy(source: Port, target: Port, catalogue: Catalogue) {
  return catalogue.converts(source.type, target.type) ? { from: source.type, to: target.type } : null
}

/** Node types that take the source and give the target: cheap ones that make nothing new come first. */
export function bridges(
  source: Pick<Port, 'type' | 'list'>,
  target: Pick<Port, 'type' | 'list'>,
  catalogue: Catalogue,
): Bridge[] {
  const found: (Bridge & { weight: number })[] = []
  for (const type of catalogue.types) {
    if (type.deprecated) continue
    const exact = (port: { type: string }) => port.type === source.type
    const input = type.inputs.find(exact)
    const output = type.outputs.find((port) => port.type === target.type)
    const others = type.inputs.filter((port) => port.required && port !== input).length
    if (!input || !output || others > 0) continue
    const weight = (type.generative ? 2 : 0) + (type.category === 'transform_assets' ? 0 : 1)
    found.push({ type: type.id, title: type.title, input: input.name, output: output.name, weight })
  }
  found.sort((one, other) => one.weight - other.weight)
  return found.slice(0, 3).map(({ weight: _, ...bridge }) => bridge)
}

export function titleOf(node: FlowNode, catalogue: Catalogue): string {
  return node.title || catalogue.typeOf(node)?.title || node.type
}

function refuse(reason: string): Verdict {
  return { allowed: false, reason, bridges: [] }
}

function circle(source: FlowNode, target: FlowNode, catalogue: Catalogue): string {
  const [from, to] = [titleOf(source, catalogue), titleOf(target, catalogue)]
  return `${from} already waits for ${to}: this connection would make a circle.`
}

function tooDeep(
  sourceNode: FlowNode,
  source: Port,
  targetNode: FlowNode,
  target: Port,
  catalogue: Catalogue,
) {
  const from = `${source.title} of ${titleOf(sourceNode, catalogue)} gives lists`
  return `${from}, and ${target.title} of ${titleOf(targetNode, catalogue)} takes them as they are: put a node that works on single items between them.`
}

function mismatch(
  sourceNode: FlowNode,
  source: Port,
  targetNode: FlowNode,
  target: Port,
  catalogue: Catalogue,
): string {
  const from = `${source.title} of ${titleOf(sourceNode, catalogue)} gives ${withArticle(describePort(source))}`
  const to = `${target.title} of ${titleOf(targetNode, catalogue)} takes ${withArticle(describePort(target))}`
  return `${from}, but ${to}.`
}

function withArticle(noun: string): string {
  return noun === 'Text' || noun === 'Json' || noun === 'Audio'
    ? noun
    : `${/^[AEIOU]/.test(noun) ? 'an' : 'a'} ${noun}`
}
