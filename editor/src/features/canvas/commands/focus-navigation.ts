import { tabStopsIn } from '@/components/tab-stops'
import type { Session } from '@/document/session'
import { readingOrder } from '@/graph/reading-order'

const CARD = '.react-flow__node'

/**
 * Tab goes through a chosen card's own controls, then to the next card in reading order, on screen or not, and at
 * the end of them to what follows the canvas.
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

/** Who comes to the cards from elsewhere begins with the chosen one, or at the end that they came from. */
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
 * Begins the browser's own step before or behind all cards: in the document they do not lie as one reads them, and
 * it would come to another of them.
 */
function leaveCards(root: HTMLElement, back: boolean): void {
  root.querySelector<HTMLElement>(back ? '[data-edge=before]' : '[data-edge=behind]')?.focus()
}

/** F6 goes from one part of the page to the next, however much there is in each. */
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
