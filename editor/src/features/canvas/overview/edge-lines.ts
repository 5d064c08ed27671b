import type { Point } from '@/graph/document'
import { distanceToPath, type EdgePath, type Extent, extentOf, overlaps } from '@/graph/routing/edge-path'
import { colorOfType, type TypeColor } from '@/lib/type-colors'
import { pathBetween } from '../edges/edge-lanes'
import { type CanvasEdge, type CanvasNode, sizeOf } from '../interactions/canvas-elements'
import { extentAround } from '../interactions/visible-part'

/** An edge as it is drawn in the overview, in flow coordinates. */
export interface EdgeLine {
  readonly id: string
  readonly color: TypeColor
  readonly path: EdgePath
  readonly extent: Extent
}

/** Every edge with two existing ends. */
export function edgeLinesOf(nodes: readonly CanvasNode[], edges: readonly CanvasEdge[]): EdgeLine[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return edges.flatMap((edge) => {
    const from = byId.get(edge.source)
    const to = byId.get(edge.target)
    if (!from || !to) return []
    const path = pathBetween(
      {
        x: from.position.x + sizeOf(from).width,
        y: from.position.y + handleY(from, edge.sourceHandle, 'source'),
      },
      { x: to.position.x, y: to.position.y + handleY(to, edge.targetHandle, 'target') },
      edge.data?.lane,
    )
    return [{ id: edge.id, color: colorOfType(edge.data?.type ?? 'Any'), path, extent: extentOf(path) }]
  })
}

/** The space that a strong line needs beyond its path, at the lowest zoom. */
const LINE_MARGIN = 40

/** The box of all lines, as they are drawn. */
export function extentOfAll(edgeLines: readonly EdgeLine[]): Extent {
  const { left, top, right, bottom } = extentAround(edgeLines.map(({ extent }) => extent))
  return {
    left: left - LINE_MARGIN,
    top: top - LINE_MARGIN,
    right: right + LINE_MARGIN,
    bottom: bottom + LINE_MARGIN,
  }
}

export function linesByColor(edgeLines: readonly EdgeLine[]): ReadonlyMap<TypeColor, readonly EdgeLine[]> {
  const lines = new Map<TypeColor, EdgeLine[]>()
  for (const line of edgeLines) {
    const those = lines.get(line.color) ?? []
    lines.set(line.color, those)
    those.push(line)
  }
  return lines
}

function handleY(node: CanvasNode, id: string | null | undefined, type: 'source' | 'target'): number {
  const handle = node.handles?.find((one) => one.id === id && one.type === type)
  return handle ? handle.y + (handle.height ?? 0) / 2 : 0
}

/** The line nearest to a point within the distance `reach`. */
export function edgeLineAt(point: Point, edgeLines: readonly EdgeLine[], reach: number): EdgeLine | null {
  let best: { edgeLine: EdgeLine; distance: number } | null = null
  const around = {
    left: point.x - reach,
    top: point.y - reach,
    right: point.x + reach,
    bottom: point.y + reach,
  }
  for (const edgeLine of edgeLines) {
    if (!overlaps(edgeLine.extent, around)) continue
    const distance = distanceToPath(point, edgeLine.path)
    if (distance <= reach && (!best || distance < best.distance)) best = { edgeLine, distance }
  }
  return best?.edgeLine ?? null
}
