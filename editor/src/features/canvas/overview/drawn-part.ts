import type { Extent } from '@/graph/routing/edge-path'
import { common, contains, type View, visiblePart } from '../interactions/visible-part'

/** The part of the flow that a bitmap shows, and the zoom for which it is drawn. */
export interface DrawnPart extends Extent {
  readonly zoom: number
}

/** What is drawn on each side of the visible part, as a share of it: the canvas can be moved so far with one bitmap. */
const MARGIN = 0.25
/** The factors between which a bitmap is scaled while the canvas moves. */
const MIN_SCALE = 0.5
const MAX_SCALE = 2

/** The part to draw for a view: what is visible and some of what is around it, but nothing outside of `all`. */
export function partToDraw(view: View, all: Extent): DrawnPart {
  const seen = visiblePart(view)
  const [wide, high] = [(seen.right - seen.left) * MARGIN, (seen.bottom - seen.top) * MARGIN]
  const around = {
    left: seen.left - wide,
    top: seen.top - high,
    right: seen.right + wide,
    bottom: seen.bottom + high,
  }
  return { ...common(around, all), zoom: view.transform[2] }
}

/** Whether a bitmap shows all that is visible, and is neither blurred nor jagged too much. */
export function isEnough(part: DrawnPart, view: View, all: Extent): boolean {
  const scale = view.transform[2] / part.zoom
  if (scale < MIN_SCALE || scale > MAX_SCALE) return false
  const seen = common(visiblePart(view), all)
  if (seen.left >= seen.right || seen.top >= seen.bottom) return true
  return contains(part, seen)
}

/** The CSS transform that shows a bitmap at its place in the view. */
export function placeOf(part: DrawnPart, { transform: [x, y, zoom] }: View): string {
  return `translate(${x + part.left * zoom}px, ${y + part.top * zoom}px) scale(${zoom / part.zoom})`
}
