import type { Edge } from '@xyflow/react'
import type { Catalog } from '@/graph/catalog'
import { edgeId, type FlowDocument, type FlowEdge, parseEnd } from '@/graph/document'
import { indexOf, mapDepthOf } from '@/graph/graph-index'
import { portAt } from '@/graph/ports'

export type CanvasEdge = Edge<{ edge: FlowEdge; type: string; list: boolean; lift: number }, 'flow'>

/** Its ports tell what a port is connected to; a picture of it has no more to say. */
const HIDDEN = { 'aria-hidden': true } as const

/** The edges that React Flow draws; those that did not change keep their object. */
export function reconcileEdges(
  current: readonly CanvasEdge[],
  document: FlowDocument,
  catalog: Catalog,
  selected: ReadonlySet<string>,
): CanvasEdge[] {
  const before = new Map(current.map((edge) => [edge.id, edge]))
  const { nodes, mapDepths } = indexOf(document, catalog)
  return document.edges.map((edge) => {
    const id = edgeId(edge)
    const old = before.get(id)
    const [from, to] = [parseEnd(edge.from), parseEnd(edge.to)]
    const port = portAt(nodes.get(from.node), catalog, from, 'source')
    const data = {
      edge,
      type: port?.type ?? 'Any',
      list: (port?.list ?? false) || (mapDepths.get(from.node) ?? 0) > 0,
      lift: mapDepthOf(edge, nodes, mapDepths, catalog),
    }
    const isSelected = selected.has(id)
    if (old && sameData(old, data) && (old.selected ?? false) === isSelected) return old
    return {
      id,
      type: 'flow' as const,
      source: from.node,
      sourceHandle: from.port,
      target: to.node,
      targetHandle: to.port,
      selected: isSelected,
      domAttributes: HIDDEN,
      data,
    }
  })
}

function sameData(old: CanvasEdge, data: NonNullable<CanvasEdge['data']>): boolean {
  const before = old.data
  return (
    before !== undefined &&
    before.edge === data.edge &&
    before.type === data.type &&
    before.list === data.list &&
    before.lift === data.lift
  )
}
