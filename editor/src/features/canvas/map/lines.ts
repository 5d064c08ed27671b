import type { Pigment } from '@/lib/pigments'
import { pigmentOf } from '@/lib/pigments'
import type { SurfaceEdge } from '../surface/edges'
import { CARD_WIDTH } from '../surface/geometry'
import type { SurfaceNode } from '../surface/nodes'

/** From where to where: x, y, x, y. */
export type Line = readonly [number, number, number, number]

/** Every edge as a line in the flow's own measure, by pigment. */
export function linesOf(
  nodes: readonly SurfaceNode[],
  edges: readonly SurfaceEdge[],
): ReadonlyMap<Pigment, readonly Line[]> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const lines = new Map<Pigment, Line[]>()
  for (const edge of edges) {
    const from = byId.get(edge.source)
    const to = byId.get(edge.target)
    if (!from || !to) continue
    const pigment = pigmentOf(edge.data?.type ?? 'Any')
    const those = lines.get(pigment) ?? []
    lines.set(pigment, those)
    those.push([
      from.position.x + CARD_WIDTH,
      from.position.y + handleY(from, edge.sourceHandle, 'source'),
      to.position.x,
      to.position.y + handleY(to, edge.targetHandle, 'target'),
    ])
  }
  return lines
}

function handleY(node: SurfaceNode, id: string | null | undefined, type: 'source' | 'target'): number {
  const handle = node.handles?.find((one) => one.id === id && one.type === type)
  return handle ? handle.y + (handle.height ?? 0) / 2 : 0
}

/** Whether any of a line may lie within a box of the flow. */
export function inSight(
  [x1, y1, x2, y2]: Line,
  box: { left: number; top: number; right: number; bottom: number },
): boolean {
  if (Math.max(x1, x2) < box.left || Math.min(x1, x2) > box.right) return false
  return Math.max(y1, y2) >= box.top && Math.min(y1, y2) <= box.bottom
}
