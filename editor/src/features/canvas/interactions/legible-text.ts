import { TEXT_HEIGHT } from '@/graph/card-size'

/** The size that text on a card has on screen, in pixels, at every zoom at which it is read. */
const ON_SCREEN = 12
/** Larger text would leave no room for words on a card. */
const MAX_SIZE = 20
/** The size of a card's text at 100 %. */
const BASE_SIZE = 12.5
const LINE_HEIGHT = 1.3

/** The least size of text on cards, in pixels of the canvas, and the lines of it that a card has room for. */
export function legibleText(zoom: number): { size: number; lines: number } {
  const size = Math.min(MAX_SIZE, Math.ceil(ON_SCREEN / zoom))
  return { size, lines: Math.floor(TEXT_HEIGHT / (Math.max(size, BASE_SIZE) * LINE_HEIGHT)) }
}

/** Sets the least size of text on the cards within `root`. In whole pixels, so that few changes of the zoom do. */
export function applyLegibleText(root: HTMLElement | null, zoom: number): void {
  const { size, lines } = legibleText(zoom)
  if (!root || root.style.getPropertyValue('--legible') === `${size}px`) return
  root.style.setProperty('--legible', `${size}px`)
  root.style.setProperty('--card-lines', String(lines))
  root.toggleAttribute('data-enlarged', size > BASE_SIZE)
}
