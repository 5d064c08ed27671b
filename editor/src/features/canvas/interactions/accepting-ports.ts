import type { Catalogue } from '@/graph/catalog'
import { fits } from '@/graph/connect'
import { type End, type FlowDocument, formatEnd } from '@/graph/document'
import { indexOf, reaches } from '@/graph/graph-index'
import { inputPorts, outputPorts, portAt } from '@/graph/ports'

export type Side = 'source' | 'target'

/** Every port that would take the other end of an edge, as `side:node.port`. */
export function acceptsOf(document: FlowDocument, catalogue: Catalogue, end: End, side: Side): Set<string> {
  const index = indexOf(document, catalogue)
  const port = portAt(index.nodes.get(end.node), catalogue, end, side)
  const found = new Set<string>()
  if (!port) return found
  for (const node of document.nodes) {
    if (node.id === end.node) continue
    const type = catalogue.typeOf(node)
    const others = side === 'source' ? inputPorts(node, type) : outputPorts(node, type)
    const fitting = others.filter((other) =>
      side === 'source' ? fits(port, other, catalogue) : fits(other, port, catalogue),
    )
    if (fitting.length === 0 || circles(index, end.node, node.id, side)) continue
    for (const other of fitting) {
      found.add(`${opposite(side)}:${formatEnd({ node: node.id, port: other.name })}`)
    }
  }
  return found
}

export function opposite(side: Side): Side {
  return side === 'source' ? 'target' : 'source'
}

function circles(index: ReturnType<typeof indexOf>, mine: string, other: string, side: Side): boolean {
  return side === 'source' ? reaches(index, other, mine) : reaches(index, mine, other)
}
