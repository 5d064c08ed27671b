import { type NodeChange, ViewportPortal } from '@xyflow/react'
import type { Point, Size } from '@/graph/document'
import { type CanvasNode, sizeOf } from './canvas-elements'

export interface Guide {
  readonly axis: 'x' | 'y'
  readonly at: number
  readonly from: number
  readonly to: number
}

export type Rectangle = Point & Size

interface SnappedPosition {
  readonly position: Point
  readonly guides: readonly Guide[]
}

const SNAP_DISTANCE = 6

/** Snaps a dragged card to the edges and centers of nearby cards, and returns the guides to show. */
export function snap(moving: Rectangle, others: readonly Rectangle[], zoom = 1): SnappedPosition {
  const reach = SNAP_DISTANCE / zoom
  const x = nearest('x', moving, others, reach)
  const y = nearest('y', moving, others, reach)
  const position = { x: moving.x + (x?.by ?? 0), y: moving.y + (y?.by ?? 0) }
  const placed = { ...moving, ...position }
  const guides = [x && guide('x', x.line, placed, x.other), y && guide('y', y.line, placed, y.other)]
  return { position, guides: guides.filter((one): one is Guide => Boolean(one)) }
}

interface Alignment {
  readonly by: number
  readonly line: number
  readonly other: Rectangle
}

function nearest(
  axis: 'x' | 'y',
  moving: Rectangle,
  others: readonly Rectangle[],
  reach: number,
): Alignment | null {
  let best: Alignment | null = null
  for (const other of others) {
    for (const line of lines(axis, other)) {
      for (const own of lines(axis, moving)) {
        const by = line - own
        if (Math.abs(by) <= reach && (!best || Math.abs(by) < Math.abs(best.by))) best = { by, line, other }
      }
    }
  }
  return best
}

function lines(axis: 'x' | 'y', box: Rectangle): number[] {
  return axis === 'x' ? [box.x, box.x + box.width / 2, box.x + box.width] : [box.y, box.y + box.height]
}

function guide(axis: 'x' | 'y', at: number, one: Rectangle, other: Rectangle): Guide {
  const [start, length] = axis === 'x' ? (['y', 'height'] as const) : (['x', 'width'] as const)
  return {
    axis,
    at,
    from: Math.min(one[start], other[start]),
    to: Math.max(one[start] + one[length], other[start] + other[length]),
  }
}

/** Maximum distance of a card that others snap to, in flow pixels. */
const MAX_GUIDE_DISTANCE = 1400

interface SnappedChanges {
  readonly changes: NodeChange<CanvasNode>[]
  /** The guides to show; null when this was not the drag of a single card. */
  readonly guides: readonly Guide[] | null
}

/** Snaps one dragged card to nearby cards. Several dragged cards keep their relative positions. */
export function snapChanges(
  changes: NodeChange<CanvasNode>[],
  nodes: readonly CanvasNode[],
  zoom: number,
): SnappedChanges {
  const drags = changes.filter((change) => change.type === 'position' && change.dragging)
  const [drag] = drags
  if (drags.length !== 1 || drag?.type !== 'position' || !drag.position) return { changes, guides: null }
  const node = nodes.find((one) => one.id === drag.id)
  if (node?.type !== 'card') return { changes, guides: null }
  const moving = { ...drag.position, ...sizeOf(node) }
  const { position, guides } = snap(moving, about(moving, node.id, nodes), zoom)
  const snapped = changes.map((change) => (change === drag ? { ...drag, position } : change))
  return { changes: snapped, guides }
}

function about(moving: Rectangle, id: string, nodes: readonly CanvasNode[]): Rectangle[] {
  return nodes
    .filter((node) => node.id !== id && node.type !== 'group')
    .filter(
      ({ position }) =>
        Math.abs(position.x - moving.x) < MAX_GUIDE_DISTANCE &&
        Math.abs(position.y - moving.y) < MAX_GUIDE_DISTANCE,
    )
    .map((node) => ({ ...node.position, ...sizeOf(node) }))
}

/** The guides to which a dragged card has snapped. */
export function GuideLines({ guides }: { guides: readonly Guide[] }) {
  return (
    <ViewportPortal>
      {guides.map((guide) => (
        <i
          key={`${guide.axis}${guide.at}`}
          aria-hidden
          className="pointer-events-none absolute bg-cobalt/70"
          style={
            guide.axis === 'x'
              ? { left: guide.at, top: guide.from, width: 1, height: guide.to - guide.from }
              : { left: guide.from, top: guide.at, width: guide.to - guide.from, height: 1 }
          }
        />
      ))}
    </ViewportPortal>
  )
}
