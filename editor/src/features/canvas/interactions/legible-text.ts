import { LONG_TEXT_HEIGHT, TEXT_HEIGHT } from '@/graph/card-room'

/** The size that text on a card has on screen, in pixels, at every zoom at which it is read. */
const ON_SCREEN = 12
/** Larger text would leave no room for words on a card. */
const MAX_SIZE = 22
/** The size of a card's text at 100 %. */
const BASE_SIZE = 12.5
const LINE_HEIGHT = 1.3

/**
 * The least size of text on cards, in pixels of the canvas, and the lines of it that a card has room for: of a short
 * text, and of one that was written.
 */
export function legibleText(zoom: number): { size: number; lines: number; longLines: number } {
  const size = Math.min(MAX_SIZE, Math.ceil(ON_SCREEN / zoom))
  const linesIn = (height: number) => Math.floor(height / (Math.max(size, BASE_SIZE) * LINE_HEIGHT))
  return {
    size,
    lines: linesIn(TEXT_HEIGHT),
    longLines: linesIn(LONG_TEXT_HEIGHT),
  }
}

/** Sets the least size of text on the cards within `root`. In whole pixels, so that few changes of the zoom do. */
export function applyLegibleText(root: HTMLElement | null, zoom: number): void {
  const { size, lines, longLines } = legibleText(zoom)
  if (!root || root.style.getPropertyValue('--legible') === `${size}px`) return
  root.style.setProperty('--legible', `${size}px`)
  root.style.setProperty('--card-lines', String(lines))
  root.style.setProperty('--card-long-lines', String(longLines))
  root.toggleAttribute('data-enlarged', size > BASE_SIZE)
}
