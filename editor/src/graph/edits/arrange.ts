import type { Point, Size } from '../document'

export type Side = 'left' | 'centre' | 'right' | 'top' | 'middle' | 'bottom'
export type Axis = 'x' | 'y'

export interface Box extends Point, Size {
  readonly id: string
}

/** New positions of boxes aligned to a side or a center line; needs at least two boxes. */
export function align(boxes: readonly Box[], side: Side): Map<string, Point> {
  if (boxes.length < 2) return new Map()
  const around = bounds(boxes)
  return new Map(boxes.map((box) => [box.id, aligned(box, around, side)]))
}

function aligned(box: Box, around: Omit<Box, 'id'>, side: Side): Point {
  switch (side) {
    case 'left':
      return { x: around.x, y: box.y }
    case 'right':
      return { x: around.x + around.width - box.width, y: box.y }
    case 'centre':
      return { x: around.x + (around.width - box.width) / 2, y: box.y }
    case 'top':
      return { x: box.x, y: around.y }
    case 'bottom':
      return { x: box.x, y: around.y + around.height - box.height }
    case 'middle':
      return { x: box.x, y: around.y + (around.height - box.height) / 2 }
  }
}

/** New positions with equal gaps between the first and the last box along an axis; needs at least three boxes. */
export function distribute(boxes: readonly Box[], axis: Axis): Map<string, Point> {
  if (boxes.length < 3) return new Map()
  const length = axis === 'x' ? 'width' : 'height'
  const sorted = [...boxes].sort((one, other) => one[axis] - other[axis])
  const around = bounds(boxes)
  const filled = sorted.reduce((sum, box) => sum + box[length], 0)
  const gap = (around[length] - filled) / (sorted.length - 1)
  let at = around[axis]
  const places = new Map<string, Point>()
  for (const box of sorted) {
    places.set(box.id, { x: box.x, y: box.y, [axis]: at })
    at += box[length] + gap
  }
  return places
}

export function bounds(boxes: readonly (Point & Size)[]): Point & Size {
  if (boxes.length === 0) return { x: 0, y: 0, width: 0, height: 0 }
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  const right = Math.max(...boxes.map((box) => box.x + box.width))
  const bottom = Math.max(...boxes.map((box) => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}
