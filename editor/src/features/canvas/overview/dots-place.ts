/** The distance of two dots, and the radius of one, in pixels of the canvas at zoom 1. */
export const GAP = 22
export const RADIUS = 1
/** The least distance of two dots on the screen; there are fewer dots at a low zoom. */
export const MIN_GAP = 7

/** The factors between which drawn dots are scaled. */
export const MIN_SCALE = 0.6
export const MAX_SCALE = 2

/** The distance of two dots on the screen. At a low zoom every second, fourth, ... dot is left. */
export function gapAt(zoom: number): number {
  let gap = GAP * zoom
  while (gap < MIN_GAP) gap *= 2
  return gap
}

/** The zoom to draw dots for: the one they are `drawn` for if they can be scaled from it, otherwise the present one. */
export function drawnZoom(zoom: number, drawn: number | null): number {
  if (drawn === null) return zoom
  const scale = zoom / drawn
  return scale < MIN_SCALE || scale > MAX_SCALE ? zoom : drawn
}

/** A width or height of the bitmap of dots with which it covers the canvas at each place and scale. */
export function bitmapSize(size: number): number {
  return Math.ceil((size + 2 * GAP) / MIN_SCALE)
}

/**
 * The CSS transform that moves dots drawn for a zoom to their places in the viewport, at most a gap to the left and up.
 * Dots that are not scaled are moved by whole pixels, which the compositor copies without filtering.
 */
export function transformOf([x, y, zoom]: readonly [number, number, number], drawn: number): string {
  const gap = (gapAt(drawn) * zoom) / drawn
  const offset = (by: number) => {
    const exact = ((((by - (GAP * zoom) / 2) % gap) + gap) % gap) - gap
    return zoom === drawn ? Math.round(exact) : exact
  }
  return `translate(${offset(x)}px, ${offset(y)}px) scale(${zoom / drawn})`
}
