import type { Point } from '../document'

/**
 * The points that an edge passes from its source port to its target port. Each is joined to the next by a curve that
 * leaves and arrives horizontally, so between points at one height it is straight. Two points are a plain edge.
 */
export type EdgePath = readonly Point[]

/** The horizontal distance of the control points of a curve from its ends. */
function reachOf(from: Point, to: Point): number {
  const gap = to.x - from.x
  return gap >= 0 ? gap / 2 : 10 * Math.sqrt(-gap)
}

/** What draws a path: a canvas, or the `d` of an SVG path. */
export interface Pen {
  moveTo(x: number, y: number): void
  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void
}

export function drawPath(pen: Pen, path: EdgePath): void {
  const [start] = path
  if (!start) return
  pen.moveTo(start.x, start.y)
  for (const [from, to] of curvesOf(path)) {
    const reach = reachOf(from, to)
    pen.bezierCurveTo(from.x + reach, from.y, to.x - reach, to.y, to.x, to.y)
  }
}

/** The path as the `d` attribute of an SVG path. */
export function svgPath(path: EdgePath): string {
  const parts: string[] = []
  drawPath(
    {
      moveTo: (x, y) => parts.push(`M${x},${y}`),
      bezierCurveTo: (...numbers) => parts.push(`C${numbers.join()}`),
    },
    path,
  )
  return parts.join('')
}

function curvesOf(path: EdgePath): [Point, Point][] {
  return path.slice(1).map((to, at) => [path[at] as Point, to])
}

/** The point at a share of the path, from 0 to 1; each curve has a share as wide as itself. */
export function pointOn(path: EdgePath, share: number): Point {
  const curves = curvesOf(path)
  const widths = curves.map(([from, to]) => Math.max(1, Math.abs(to.x - from.x)))
  let left = Math.min(1, Math.max(0, share)) * widths.reduce((sum, width) => sum + width, 0)
  for (const [at, [from, to]] of curves.entries()) {
    const width = widths[at] as number
    if (left <= width) return onCurve(from, to, left / width)
    left -= width
  }
  return path.at(-1) ?? { x: 0, y: 0 }
}

/** The point at a parameter of one curve, from 0 to 1. */
export function onCurve(from: Point, to: Point, at: number): Point {
  const reach = reachOf(from, to)
  const rest = 1 - at
  const [a, b, c, d] = [rest ** 3, 3 * rest * rest * at, 3 * rest * at * at, at ** 3]
  return {
    x: a * from.x + b * (from.x + reach) + c * (to.x - reach) + d * to.x,
    y: (a + b) * from.y + (c + d) * to.y,
  }
}

/** The box that holds the path with all its curves. */
export interface Extent {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export function extentOf(path: EdgePath): Extent {
  const extent = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (const [from, to] of curvesOf(path)) {
    const reach = reachOf(from, to)
    extent.left = Math.min(extent.left, from.x, to.x - reach)
    extent.right = Math.max(extent.right, to.x, from.x + reach)
    extent.top = Math.min(extent.top, from.y, to.y)
    extent.bottom = Math.max(extent.bottom, from.y, to.y)
  }
  return extent
}

export function overlaps(one: Extent, other: Extent): boolean {
  if (one.right < other.left || one.left > other.right) return false
  return one.bottom >= other.top && one.top <= other.bottom
}

const CURVE_SAMPLES = 24

/** The distance of a point to a path, measured to chords, since sample points of a curve may be far apart. */
export function distanceToPath(point: Point, path: EdgePath): number {
  let least = Number.POSITIVE_INFINITY
  for (const [from, to] of curvesOf(path)) {
    const samples = from.y === to.y && from.x <= to.x ? 1 : CURVE_SAMPLES
    let before = from
    for (let step = 1; step <= samples; step += 1) {
      const next = onCurve(from, to, step / samples)
      least = Math.min(least, distanceToChord(point, before, next))
      before = next
    }
  }
  return least
}

function distanceToChord(point: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : ((point.x - from.x) * dx + (point.y - from.y) * dy) / length
  const share = Math.min(1, Math.max(0, along))
  return Math.hypot(point.x - from.x - share * dx, point.y - from.y - share * dy)
}
