import type { Session } from '@/document/session'

const INSIDE = '[tabindex="0"], input, textarea, button, select'
const FRAMES = 12

/** Tab goes through a chosen card's own controls, then to the next card in reading order, on screen or not. */
export function walk(session: Session, root: HTMLElement, event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement
  const card = target.closest<HTMLElement>('.react-flow__node')
  if (!card) return false
  if (hasMoreInside(card, target, event.shiftKey)) return false
  const order = readingOrder(session)
  const next = order[order.indexOf(card.dataset.id ?? '') + (event.shiftKey ? -1 : 1)]
  if (!next) return false
  focusSoon(session, root, next)
  return true
}

function hasMoreInside(card: HTMLElement, target: HTMLElement, back: boolean): boolean {
  const stops = [...card.querySelectorAll<HTMLElement>(INSIDE)].filter((one) => one.tabIndex >= 0)
  if (back) return target !== card
  return stops.indexOf(target) < stops.length - 1
}

/** Left to right, then top to bottom within a column, as the work flows. */
export function readingOrder(session: Session): string[] {
  const column = (x: number) => Math.round(x / 160)
  const nodes = [...session.document.nodes]
  nodes.sort(
    (one, other) => column(one.position.x) - column(other.position.x) || one.position.y - other.position.y,
  )
  return nodes.map((node) => node.id)
}

/** A card out of sight is brought into view first and takes the focus once it is drawn. */
function focusSoon(session: Session, root: HTMLElement, id: string, frames = FRAMES) {
  const card = root.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)
  if (card) return card.focus()
  if (frames === FRAMES) {
    session.view.setState(({ reveal }) => ({ reveal: { node: id, nonce: (reveal?.nonce ?? 0) + 1 } }))
  }
  if (frames > 0) requestAnimationFrame(() => focusSoon(session, root, id, frames - 1))
}
