import type { Point, Size } from '../document'

type Box = Point & Size

/** Minimum distance between boxes, in pixels. */
export const GAP = 32

/**
 * The position nearest to the desired one where a box of this size keeps `GAP` from every other box. It is the
 * desired one, or flush with the sides of the boxes in the way.
 */
export function freePlace(desired: Point, size: Size, others: readonly Box[]): Point {
  const start = { x: Math.round(desired.x), y: Math.round(desired.y) }
  const obstacles = others.map((other) => around(other, size))
  const rows = [...new Set([start.y, ...obstacles.flatMap(({ top, bottom }) => [top, bottom])])]
  const distanceTo = (y: number) => Math.abs(y - start.y)
  rows.sort((one, other) => distanceTo(one) - distanceTo(other))
  let best = { x: start.x, y: start.y, away: Number.POSITIVE_INFINITY }
  for (const y of rows) {
    if (distanceTo(y) >= best.away) break
    const x = nearestFreeX(start.x, y, obstacles)
    const away = Math.hypot(x - start.x, y - start.y)
    if (away < best.away) best = { x, y, away }
  }
  return { x: best.x, y: best.y }
}

interface Obstacle {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** The forbidden area for the top left corner of the new box: the other box enlarged by the new one and the gap. */
function around({ x, y, width, height }: Box, size: Size): Obstacle {
  return {
    left: Math.floor(x - size.width - GAP),
    right: Math.ceil(x + width + GAP),
    top: Math.floor(y - size.height - GAP),
    bottom: Math.ceil(y + height + GAP),
  }
}

/** The free x nearest to the wanted one in this row. */
function nearestFreeX(wanted: number, y: number, walls: readonly Obstacle[]): number {
  const across = walls.filter(({ top, bottom }) => top < y && y < bottom)
  across.sort((one, other) => one.left - other.left)
  let [left, right] = [wanted, wanted]
  for (const wall of across) if (wall.left < right && right < wall.right) right = wall.right
  across.sort((one, other) => other.right - one.right)
  for (const wall of across) if (wall.left < left && left < wall.right) left = wall.left
  return right - wanted < wanted - left ? right : left
}
