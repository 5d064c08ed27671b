import type { Catalog } from './catalog'
import type { FlowDocument, FlowNode, Pin, PinnedOutput } from './document'
import { indexOf } from './graph-index'
import { outputPorts, type Port } from './ports'

/** What a run does with a node instead of calling it; null if it calls the node. */
export type NodeState = 'disabled' | 'bypassed' | 'pinned'

export function stateOf(node: Pick<FlowNode, 'mode' | 'pin'>): NodeState | null {
  return node.mode ?? (node.pin ? 'pinned' : null)
}

/** The codes of warnings that only repeat such a state. */
export function isStateNote(code: string): boolean {
  return code === 'disabled' || code === 'bypassed' || code === 'pinned'
}

/** A pin of the outputs of a step, by port; null if the node has none of these ports. */
export function pinOf(
  node: FlowNode,
  document: FlowDocument,
  catalog: Catalog,
  outputs: Readonly<Record<string, unknown>>,
): Pin | null {
  const mapDepth = indexOf(document, catalog).mapDepths.get(node.id) ?? 0
  const stored = outputPorts(node, catalog.typeOf(node)).flatMap((port): [string, PinnedOutput][] => {
    if (!(port.name in outputs)) return []
    const value = outputs[port.name]
    return [[port.name, { type: port.type, depth: depthOf(value, port, mapDepth), value }]]
  })
  return stored.length > 0 ? { outputs: Object.fromEntries(stored) } : null
}

/** Data may be a list itself, so its depth is that of its port; of other values it is how deep their lists are. */
function depthOf(value: unknown, port: Port, mapDepth: number): number {
  if (port.type === 'Json' || port.type === 'Any') return port.depth + mapDepth
  let depth = 0
  for (let item = value; Array.isArray(item); item = item[0]) depth += 1
  return Math.max(depth, port.depth)
}

/** The values of a pin by port, as a step has them. */
export function pinnedValues({ outputs }: Pin): Record<string, unknown> {
  return Object.fromEntries(Object.entries(outputs).map(([port, { value }]) => [port, value]))
}

/** Whether a node can pass its inputs on: it has some, and it does not run another agent. */
export function canBypass(node: FlowNode, catalog: Catalog): boolean {
  const type = catalog.typeOf(node)
  return type !== undefined && !type.subflow && type.inputs.length > 0
}

/** Whether results of a node can be pinned: an input has its own value. */
export function canPin(node: FlowNode, catalog: Catalog): boolean {
  const type = catalog.typeOf(node)
  return type !== undefined && type.input === null
}
