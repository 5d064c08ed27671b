import type { Point } from '@/graph/document'
import type { Pigment } from '@/lib/type-colors'
import { pigmentOf } from '@/lib/type-colors'
import { CARD_WIDTH } from '../interactions/card-geometry'
import type { SurfaceEdge } from '../interactions/flow-edges'
import type { SurfaceNode } from '../interactions/flow-nodes'

/** From where to where: x, y, x, y. */
export type Line = readonly [number, number, number, number]

/** An edge as it is drawn on the map, in the flow's own measure. */
export interface Thread {
  readonly id: string
  readonly pigment: Pigment
  readonly line: Line
}

/** Every edge of which both ends are there. */
export function threadsOf(nodes: readonly SurfaceNode[], edges: readonly SurfaceEdge[]): Thread[] {
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
    return [{ id: edge.id, pigment: pigmentOf(edge.data?.type ?? 'Any'), line }]
  })
}

export function byPigment(threads: readonly Thread[]): ReadonlyMap<Pigment, readonly Line[]> {
  const lines = new Map<Pigment, Line[]>()
  for (const { pigment, line } of threads) {
    const those = lines.get(pigment) ?? []
    lines.set(pigment, those)
    those.push(line)
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

/** How far a line leaves its port before it turns: the same bend as an edge that is seen from near. */
export function bendOf([x1, , x2]: Line): number {
  const gap = x2 - x1
  return gap >= 0 ? gap / 2 : 10 * Math.sqrt(-gap)
}

/** The thread nearest to a point and no further from it than `reach`. */
export function threadAt(point: Point, threads: readonly Thread[], reach: number): Thread | null {
  let best: { thread: Thread; distance: number } | null = null
  for (const thread of threads) {
    const bend = bendOf(thread.line)
    const around = {
      left: point.x - reach,
      top: point.y - reach,
      right: point.x + reach,
      bottom: point.y + reach,
    }
    const [x1, y1, x2, y2] = thread.line
    if (!inSight([Math.min(x1, x2 - bend), y1, Math.max(x2, x1 + bend), y2], around)) continue
    const distance = distanceTo(point, thread.line)
    if (distance <= reach && (!best || distance < best.distance)) best = { thread, distance }
  }
  return best?.thread ?? null
}

const STEPS = 24

/** To the chords of the curve: its points alone lie far apart where it is long. */
function distanceTo(point: Point, line: Line): number {
  let least = Number.POSITIVE_INFINITY
  let before = pointOn(line, 0)
  for (let step = 1; step <= STEPS; step += 1) {
    const next = pointOn(line, step / STEPS)
    least = Math.min(least, toChord(point, before, next))
    before = next
  }
  return least
}

/** Where a line has come to after a share of its way. */
export function pointOn(line: Line, share: number): Point {
  const [x1, y1, x2, y2] = line
  const bend = bendOf(line)
  const rest = 1 - share
  const [a, b, c, d] = [rest ** 3, 3 * rest * rest * share, 3 * rest * share * share, share ** 3]
  return { x: a * x1 + b * (x1 + bend) + c * (x2 - bend) + d * x2, y: (a + b) * y1 + (c + d) * y2 }
}

function toChord(point: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : ((point.x - from.x) * dx + (point.y - from.y) * dy) / length
  const share = Math.min(1, Math.max(0, along))
  return Math.hypot(point.x - from.x - share * dx, point.y - from.y - share * dy)
}
