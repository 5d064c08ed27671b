import { nudge } from '@/document/actions'
import type { Session } from '@/document/session'
import { walk } from './card-tab-order'
import { cardOf, reachedCard } from './keyboard-focus'

const ARROWS: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}
const STEP = 11
const STRIDE = 44

/** Tab on a card, whether somebody types in it or not. */
export function onTab(session: Session, root: HTMLElement | null, event: KeyboardEvent): boolean {
  if (event.key !== 'Tab' || event.metaKey || event.ctrlKey || event.altKey) return false
  return root?.contains(event.target as Node) === true && walk(session, root, event)
}

/** Keys that mean something only on the canvas itself. True when the key was taken. */
export function onCanvasKey(session: Session, root: HTMLElement | null, event: KeyboardEvent): boolean {
  if (event.key === 'Escape') return leave(session)
  if (event.metaKey || event.ctrlKey || event.altKey) return false
  const onCanvas = root?.contains(event.target as Node) ?? false
  const arrow = ARROWS[event.key]
  if (arrow) return (onCanvas || event.target === document.body) && move(session, event, arrow)
  const card = isCard(event.target) ? cardOf(event.target) : undefined
  if (!card) return false
  if (event.key === 'Enter') return open(session, card, event.target as HTMLElement)
  return event.key === ' ' && toggle(session, card)
}

/**
 * Keys are about the card that somebody walked to, though another is chosen; several were chosen one by one, and
 * those are meant.
 */
export function aim(session: Session): void {
  const { nodes } = session.view.getState()
  const card = reachedCard()
  if (card && nodes.length < 2 && !nodes.includes(card)) session.view.select([card])
}

/** Escape on a card's own control or in the inspector brings the keyboard back to the card. */
export function backToCard(session: Session, event: KeyboardEvent): boolean {
  const { target } = event
  const { connecting, palette, refusal, nodes } = session.view.getState()
  if (connecting?.byTap || palette || refusal) return false
  if (event.key !== 'Escape' || !(target instanceof Element) || isCard(target)) return false
  const inspected = target.closest('[data-inspector]') ? nodes[0] : undefined
  const card = cardOf(target) ?? inspected
  if (!card) return false
  session.view.setState({ inspecting: false })
  session.stage?.focusNode(card)
  return true
}

function leave(session: Session): boolean {
  const { palette, refusal, connecting, adding, nodes, edges } = session.view.getState()
  const open = Boolean(palette || refusal || adding || connecting?.byTap)
  session.view.setState({ palette: null, refusal: null, adding: false, connecting: null })
  if (!open) session.view.select([])
  return open || nodes.length > 0 || edges.length > 0
}

function move(session: Session, event: KeyboardEvent, { x, y }: { x: number; y: number }): boolean {
  aim(session)
  if (session.view.getState().nodes.length === 0 || !session.canEdit) return false
  const by = event.shiftKey ? STRIDE : STEP
  nudge(session, { x: x * by, y: y * by })
  return true
}

/** Enter chooses a card and goes to its settings; in a note or a frame, to its words. */
function open(session: Session, id: string, card: HTMLElement): boolean {
  session.view.select([id])
  if (card.classList.contains('react-flow__node-card')) {
    session.view.setState(({ inspect }) => ({ tab: 'settings', inspect: inspect + 1, inspecting: true }))
  } else {
    card.querySelector<HTMLElement>('textarea, input')?.focus()
  }
  return true
}

/** Space takes a card among the chosen ones, or out of them. */
function toggle(session: Session, id: string): boolean {
  const { nodes } = session.view.getState()
  session.view.select(nodes.includes(id) ? nodes.filter((one) => one !== id) : [...nodes, id])
  return true
}

function isCard(target: EventTarget | null): boolean {
  return target instanceof Element && target.classList.contains('react-flow__node')
}
