import type { NodeChange } from '@xyflow/react'
import { type Guide, type Rectangle, snap } from './alignment-guides'
import { type CanvasNode, sizeOf } from './flow-nodes'

/** Cards further away than this do not pull. */
const NEARBY = 1400

interface Snapped {
  readonly changes: NodeChange<CanvasNode>[]
  /** The lines to show; null when this was no drag of one card. */
  readonly guides: readonly Guide[] | null
}

/** Lets one dragged card fall into line with those about it. Several at once keep their distances. */
export function snapChanges(
  changes: NodeChange<CanvasNode>[],
  nodes: readonly CanvasNode[],
  zoom: number,
): Snapped {
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
      ({ position }) => Math.abs(position.x - moving.x) < NEARBY && Math.abs(position.y - moving.y) < NEARBY,
    )
    .map((node) => ({ ...node.position, ...sizeOf(node) }))
}
