import { tabStopsIn } from '@/components/tab-stops'
import type { Session } from '@/document/session'
import { readingOrder } from '@/graph/reading-order'

const CARD = '.react-flow__node'

/**
 * Tab moves through the controls of the selected card, then to the next card in reading order, whether on screen
 * or not, and after the last card to what follows the canvas.
 */
export function moveToNextCard(session: Session, root: HTMLElement, event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement
  const card = target.closest<HTMLElement>(CARD)
  if (!card) return false
  if (hasMoreInside(card, target, event.shiftKey)) return false
  const order = readingOrder(session.document)
  const next = order[order.indexOf(card.dataset.id ?? '') + (event.shiftKey ? -1 : 1)]
  if (next) session.viewport?.focusNode(next)
  else leaveCards(root, event.shiftKey)
  return next !== undefined
}

/** Entering the cards from elsewhere focuses the selected card, else the first or last one by direction. */
export function enterCards(session: Session, back: boolean): void {
  const order = readingOrder(session.document)
  const chosen = session.view.getState().nodes.find((id) => order.includes(id))
  const first = chosen ?? order.at(back ? -1 : 0)
  if (first) session.viewport?.focusNode(first)
}

function hasMoreInside(card: HTMLElement, target: HTMLElement, back: boolean): boolean {
  if (back) return target !== card
  const stops = tabStopsIn(card)
  return stops.indexOf(target) < stops.length - 1
}

/**
 * Moves the focus before or after all cards, so that the default Tab step leaves the canvas: the DOM order of the
 * cards differs from their reading order.
 */
function leaveCards(root: HTMLElement, back: boolean): void {
  root.querySelector<HTMLElement>(back ? '[data-edge=before]' : '[data-edge=behind]')?.focus()
}

/** F6 moves the focus from one region of the page to the next. */
export function focusRegion(session: Session, back: boolean): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(
    (region) => tabStopsIn(region).length > 0,
  )
  const at = regions.findIndex((region) => region.contains(document.activeElement))
  const from = at < 0 && back ? regions.length : at
  const next = regions.at((from + (back ? -1 : 1)) % regions.length)
  if (next?.dataset.region === 'canvas' && session.document.nodes.length > 0) enterCards(session, false)
  else if (next) tabStopsIn(next)[0]?.focus()
}
