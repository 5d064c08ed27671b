import { type Extent, overlaps } from '@/graph/routing/edge-path'

/** The viewport, and the size of the canvas on the screen. */
export interface View {
  readonly transform: readonly [x: number, y: number, zoom: number]
  readonly width: number
  readonly height: number
}

/** The part of the flow that the canvas shows. */
export function visiblePart({ transform: [x, y, zoom], width, height }: View): Extent {
  return { left: -x / zoom, top: -y / zoom, right: (width - x) / zoom, bottom: (height - y) / zoom }
}

export function contains(outer: Extent, inner: Extent): boolean {
  if (inner.left < outer.left || inner.right > outer.right) return false
  return inner.top >= outer.top && inner.bottom <= outer.bottom
}

/** The common part of two boxes; empty where they have none. */
export function common(one: Extent, other: Extent): Extent {
  if (!overlaps(one, other)) return { left: one.left, top: one.top, right: one.left, bottom: one.top }
  return {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  }
}

/** The smallest box around all of them. */
export function extentAround(extents: readonly Extent[]): Extent {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const extent of extents) {
    left = Math.min(left, extent.left)
    top = Math.min(top, extent.top)
    right = Math.max(right, extent.right)
    bottom = Math.max(bottom, extent.bottom)
  }
  return { left, top, right, bottom }
}
