import type { Point, Size } from '@/graph/document'
import { type View, visiblePart } from '../interactions/visible-part'

export interface Box extends Point, Size {}

/** Where the minimap shows what: a point of the flow is at `(point - origin) / scale`. */
export interface Frame {
  readonly origin: Point
  /** Flow units in a pixel of the minimap. */
  readonly scale: number
}

/** The space around everything, in pixels of the minimap. */
const MARGIN = 5

/** The part of the flow that the canvas shows. */
export function visibleBox(view: View): Box {
  const { left, top, right, bottom } = visiblePart(view)
  return { x: left, y: top, width: right - left, height: bottom - top }
}

/** The smallest box around two boxes; null has no extent. */
export function around(one: Box | null, other: Box): Box {
  if (!one) return other
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)]
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  }
}

/** Fits all cards and the visible part of the flow into the minimap, in its middle. */
export function frameOf(cards: Box | null, visible: Box, size: Size): Frame {
  const all = around(cards, visible)
  const room = { width: size.width - 2 * MARGIN, height: size.height - 2 * MARGIN }
  const scale = Math.max(all.width / room.width, all.height / room.height) || 1
  return {
    origin: {
      x: all.x + all.width / 2 - (size.width * scale) / 2,
      y: all.y + all.height / 2 - (size.height * scale) / 2,
    },
    scale,
  }
}

/** A box of the flow in pixels of the minimap. */
export function placed({ x, y, width, height }: Box, { origin, scale }: Frame): Box {
  return {
    x: (x - origin.x) / scale,
    y: (y - origin.y) / scale,
    width: width / scale,
    height: height / scale,
  }
}
