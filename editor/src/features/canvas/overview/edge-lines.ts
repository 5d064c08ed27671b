import { CARD_WIDTH } from '@/graph/card-size'
import type { Point } from '@/graph/document'
import { colorOfType, type TypeColor } from '@/lib/type-colors'
import type { CanvasEdge, CanvasNode } from '../interactions/canvas-elements'

/** Start and end of the line: x, y, x, y. */
export type Line = readonly [number, number, number, number]

/** An edge as it is drawn in the overview, in flow coordinates. */
export interface EdgeLine {
  readonly id: string
  readonly color: TypeColor
  readonly line: Line
}

/** Every edge with two existing ends. */
export function edgeLinesOf(nodes: readonly CanvasNode[], edges: readonly CanvasEdge[]): EdgeLine[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return edges.flatMap((edge) => {
    const from = byId.get(edge.source)
    const to = byId.get(edge.target)
    if (!from || !to) return []
    const line = [
      from.position.x + CARD_WIDTH,
      from.position.y + handleY(from, edge.sourceHandle, 'source'),
      to.position.x,
      to.position.y + handleY(to, edge.targetHandle, 'target'),
    ] as const
    return [{ id: edge.id, color: colorOfType(edge.data?.type ?? 'Any'), line }]
  })
}

export function linesByColor(edgeLines: readonly EdgeLine[]): ReadonlyMap<TypeColor, readonly Line[]> {
  const lines = new Map<TypeColor, Line[]>()
  for (const { color, line } of edgeLines) {
    const those = lines.get(color) ?? []
    lines.set(color, those)
    those.push(line)
  }
  return lines
}

function handleY(node: CanvasNode, id: string | null | undefined, type: 'source' | 'target'): number {
  const handle = node.handles?.find((one) => one.id === id && one.type === type)
  return handle ? handle.y + (handle.height ?? 0) / 2 : 0
}

/** Whether any part of a line may be within a box of the flow. */
export function isVisible(
  [x1, y1, x2, y2]: Line,
  box: { left: number; top: number; right: number; bottom: number },
): boolean {
  if (Math.max(x1, x2) < box.left || Math.min(x1, x2) > box.right) return false
  return Math.max(y1, y2) >= box.top && Math.min(y1, y2) <= box.bottom
}

/** The horizontal distance of the control points from the ports: the same curve as an edge at normal zoom. */
export function curvatureOf([x1, , x2]: Line): number {
  const gap = x2 - x1
  return gap >= 0 ? gap / 2 : 10 * Math.sqrt(-gap)
}

/** The line nearest to a point within the distance `reach`. */
export function edgeLineAt(point: Point, edgeLines: readonly EdgeLine[], reach: number): EdgeLine | null {
  let best: { edgeLine: EdgeLine; distance: number } | null = null
  for (const edgeLine of edgeLines) {
    const bend = curvatureOf(edgeLine.line)
    const around = {
      left: point.x - reach,
      top: point.y - reach,
      right: point.x + reach,
      bottom: point.y + reach,
    }
    const [x1, y1, x2, y2] = edgeLine.line
    if (!isVisible([Math.min(x1, x2 - bend), y1, Math.max(x2, x1 + bend), y2], around)) continue
    const distance = distanceToLine(point, edgeLine.line)
    if (distance <= reach && (!best || distance < best.distance)) best = { edgeLine, distance }
  }
  return best?.edgeLine ?? null
}

const CURVE_SAMPLES = 24

/** Measures the distance to the chords of the curve, since its sample points may be far apart. */
function distanceToLine(point: Point, line: Line): number {
  let least = Number.POSITIVE_INFINITY
  let before = pointOn(line, 0)
  for (let step = 1; step <= CURVE_SAMPLES; step += 1) {
    const next = pointOn(line, step / CURVE_SAMPLES)
    least = Math.min(least, distanceToChord(point, before, next))
    before = next
  }
  return least
}

/** The point at a parameter of the curve, from 0 to 1. */
export function pointOn(line: Line, share: number): Point {
  const [x1, y1, x2, y2] = line
  const bend = curvatureOf(line)
  const rest = 1 - share
  const [a, b, c, d] = [rest ** 3, 3 * rest * rest * share, 3 * rest * share * share, share ** 3]
  return { x: a * x1 + b * (x1 + bend) + c * (x2 - bend) + d * x2, y: (a + b) * y1 + (c + d) * y2 }
}

function distanceToChord(point: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : ((point.x - from.x) * dx + (point.y - from.y) * dy) / length
  const share = Math.min(1, Math.max(0, along))
  return Math.hypot(point.x - from.x - share * dx, point.y - from.y - share * dy)
}
