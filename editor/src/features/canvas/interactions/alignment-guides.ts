import type { Point, Size } from '@/graph/document'

export interface Guide {
  readonly axis: 'x' | 'y'
  readonly at: number
  readonly from: number
  readonly to: number
}

export type Rectangle = Point & Size

export interface Snapped {
  readonly position: Point
  readonly guides: readonly Guide[]
}

const REACH = 6

/** Draws a dragged card to the sides and middles of the cards about it, and tells the lines it fell on. */
export function snap(moving: Rectangle, others: readonly Rectangle[], zoom = 1): Snapped {
  const reach = REACH / zoom
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
