import { nudge } from '@/document/actions'
import type { Session } from '@/document/session'
import { moveToNextCard } from './focus-navigation'
import { cardFocusedByKeyboard, cardOf } from './key-targets'

const ARROWS: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}
const MOVE_STEP = 11
const LARGE_MOVE_STEP = 44

/** Handles Tab on a card, also while a field in it has the focus. */
export function onTab(session: Session, root: HTMLElement | null, event: KeyboardEvent): boolean {
  if (event.key !== 'Tab' || event.metaKey || event.ctrlKey || event.altKey) return false
  return root?.contains(event.target as Node) === true && moveToNextCard(session, root, event)
}

/** Handles keys that act on the canvas only. Returns true when the key was handled. */
export function onCanvasKey(session: Session, root: HTMLElement | null, event: KeyboardEvent): boolean {
  if (event.key === 'Escape') return dismiss(session)
  if (event.metaKey || event.ctrlKey || event.altKey) return false
  const onCanvas = root?.contains(event.target as Node) ?? false
  const arrow = ARROWS[event.key]
  if (arrow) return (onCanvas || event.target === document.body) && moveSelected(session, event, arrow)
  const card = isCard(event.target) ? cardOf(event.target) : undefined
  if (!card) return false
  if (event.key === 'Enter') return open(session, card, event.target as HTMLElement)
  return event.key === ' ' && toggleSelected(session, card)
}

/**
 * Keys act on the focused card even if another one is selected. When several are selected one by one, keys act
 * on the selection.
 */
export function selectFocusedCard(session: Session): void {
  const { nodes } = session.view.getState()
  const card = cardFocusedByKeyboard()
  if (card && nodes.length < 2 && !nodes.includes(card)) session.view.select([card])
}

/** Escape in a control of a card or in the inspector returns the focus to the card. */
export function focusOwningCard(session: Session, event: KeyboardEvent): boolean {
  const { target } = event
  const { connecting, palette, rejection, nodes } = session.view.getState()
  if (connecting?.byTap || palette || rejection) return false
  if (event.key !== 'Escape' || !(target instanceof Element) || isCard(target)) return false
  const inspected = target.closest('[data-inspector]') ? nodes[0] : undefined
  const card = cardOf(target) ?? inspected
  if (!card) return false
  session.view.setState({ isInspectorOpen: false })
  session.viewport?.focusNode(card)
  return true
}

function dismiss(session: Session): boolean {
  const { palette, rejection, connecting, isPaletteOpen, nodes, edges, dialog } = session.view.getState()
  const openCard = Boolean(palette || rejection || isPaletteOpen || connecting?.byTap || dialog)
  session.view.setState({
    palette: null,
    rejection: null,
    isPaletteOpen: false,
    connecting: null,
    dialog: null,
  })
  if (!openCard) session.view.select([])
  return openCard || nodes.length > 0 || edges.length > 0
}

function moveSelected(session: Session, event: KeyboardEvent, { x, y }: { x: number; y: number }): boolean {
  selectFocusedCard(session)
  if (session.view.getState().nodes.length === 0 || !session.canEdit) return false
  const by = event.shiftKey ? LARGE_MOVE_STEP : MOVE_STEP
  nudge(session, { x: x * by, y: y * by })
  return true
}

/** Enter selects a card and moves the focus to its settings, or to the text of a note or group. */
function open(session: Session, id: string, card: HTMLElement): boolean {
  session.view.select([id])
  if (card.classList.contains('react-flow__node-card')) {
    session.view.setState(({ inspect }) => ({
      tab: 'settings',
      inspect: inspect + 1,
      isInspectorOpen: true,
      dialog: null,
    }))
  } else {
    card.querySelector<HTMLElement>('textarea, input')?.focus()
  }
  return true
}

/** Space toggles the selection of a card. */
function toggleSelected(session: Session, id: string): boolean {
  const { nodes } = session.view.getState()
  session.view.select(nodes.includes(id) ? nodes.filter((one) => one !== id) : [...nodes, id])
  return true
}

function isCard(target: EventTarget | null): boolean {
  return target instanceof Element && target.classList.contains('react-flow__node')
}
