/** The distance of two dots, and the radius of one, in pixels of the canvas. */
export const GAP = 22
export const RADIUS = 1

/** The factors between which drawn dots are scaled. */
export const MIN_SCALE = 0.5
export const MAX_SCALE = 2

/** The zoom to draw dots for: the one they are `drawn` for if they can be scaled from it, otherwise the present one. */
export function drawnZoom(zoom: number, drawn: number | null): number {
  if (drawn === null) return zoom
  const scale = zoom / drawn
  return scale < MIN_SCALE || scale > MAX_SCALE ? zoom : drawn
}

/**
 * The CSS transform that moves dots drawn for a zoom to their places in the viewport, at most a gap to the left and up.
 * Dots that are not scaled are moved by whole pixels, which the compositor copies without filtering.
 */
export function transformOf([x, y, zoom]: readonly [number, number, number], drawn: number): string {
  const gap = GAP * zoom
  const offset = (by: number) => {
    const exact = ((((by - gap / 2) % gap) + gap) % gap) - gap
    return zoom === drawn ? Math.round(exact) : exact
  }
  return `translate(${offset(x)}px, ${offset(y)}px) scale(${zoom / drawn})`
}
