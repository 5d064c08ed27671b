import type { Catalog } from './catalog'
import { checkConnection } from './connect'
import { type End, type FlowDocument, type FlowNode, formatEnd } from './document'
import { inputPorts, outputPorts, type Port } from './ports'

/** The two ends of a possible edge. */
export interface Pair {
  readonly from: End
  readonly to: End
}

/**
 * The edge that fits best from one node to another: to a free input of the same type, a required one before an optional
 * one, or to one that takes anything. Null if there is none: a conversion is for the user to choose.
 */
export function bestPair(
  document: FlowDocument,
  catalog: Catalog,
  source: FlowNode,
  target: FlowNode,
): Pair | null {
  const connected = new Set(document.edges.map((edge) => edge.to))
  const inputs = inputPorts(target, catalog.typeOf(target)).filter(
    (port) => port.list || !connected.has(formatEnd({ node: target.id, port: port.name })),
  )
  const pairs = outputPorts(source, catalog.typeOf(source)).flatMap((output) =>
    inputs
      .filter((input) => input.type === output.type || input.type === 'Any')
      .map((input) => ({
        from: { node: source.id, port: output.name },
        to: { node: target.id, port: input.name },
        cost: costOf(output, input),
      })),
  )
  pairs.sort((one, other) => one.cost - other.cost)
  const best = pairs.find(({ from, to }) => checkConnection(document, catalog, from, to).allowed)
  return best ? { from: best.from, to: best.to } : null
}

/** How far two ports are from each other, 0 best. */
export function costOf(source: Port, target: Port): number {
  const type = source.type === target.type ? 0 : target.type === 'Any' || source.type === 'Any' ? 8 : 4
  const depth = source.depth === target.depth ? 0 : 2
  return type + depth + (target.required ? 0 : 1)
}
