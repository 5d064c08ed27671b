import type { Catalog } from '@/graph/catalog'
import { isCompatible } from '@/graph/connect'
import { type End, type FlowDocument, formatEnd } from '@/graph/document'
import { indexOf, reaches } from '@/graph/graph-index'
import { inputPorts, outputPorts, portAt } from '@/graph/ports'

export type Side = 'source' | 'target'

/** Every port that would take the other end of an edge, as `side:node.port`. */
export function acceptingPorts(document: FlowDocument, catalog: Catalog, end: End, side: Side): Set<string> {
  const index = indexOf(document, catalog)
  const port = portAt(index.nodes.get(end.node), catalog, end, side)
  const found = new Set<string>()
  if (!port) return found
  for (const node of document.nodes) {
    if (node.id === end.node) continue
    const type = catalog.typeOf(node)
    const others = side === 'source' ? inputPorts(node, type) : outputPorts(node, type)
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
