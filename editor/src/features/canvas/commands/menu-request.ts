import type { Session } from '@/document/session'
import type { MenuRequest } from '@/document/view-store'
import type { Point } from '@/graph/document'
import { cardOf } from './key-targets'

/**
 * Opens the context menu of what an element belongs to: a port, card, note, group or edge, which it selects, the
 * selection if the card is one of several selected ones, else the canvas.
 */
export function openMenuAt(session: Session, element: Element | null, screen = cornerOf(element)): void {
  const request = requestFor(session, element)
  session.view.setState({ menu: { ...request, screen }, palette: null, rejection: null, choice: null })
}

function requestFor(session: Session, element: Element | null): Omit<MenuRequest, 'screen'> {
  const port = portOf(element)
  if (port) {
    session.view.select([port.end.node])
    return { target: 'port', port }
  }
  // The button that removes an edge stands on it.
  const edge =
    element?.closest<HTMLElement>('.react-flow__edge')?.dataset.id ??
    element?.closest<HTMLElement>('button[data-edge]')?.dataset.edge
  if (edge) {
    session.view.select([], [edge])
    return { target: 'edge' }
  }
  return cardRequest(session, element) ?? selectionRequest(session, element) ?? { target: 'canvas' }
}

function portOf(element: Element | null): MenuRequest['port'] {
  const handle = element?.closest<HTMLElement>('.react-flow__handle')
  const { nodeid: node, handleid: port } = handle?.dataset ?? {}
  if (!handle || !node || !port) return undefined
  return { end: { node, port }, side: handle.classList.contains('source') ? 'source' : 'target' }
}

function cardRequest({ view }: Session, element: Element | null): Omit<MenuRequest, 'screen'> | null {
  const card = cardOf(element)
  if (!card) return null
  const { nodes } = view.getState()
  if (nodes.length > 1 && nodes.includes(card)) return { target: 'selection' }
  view.select([card])
  return { target: kindOf(element) }
}

/** The selection, for a press on its frame or for the keyboard while no card has the focus. */
function selectionRequest({ view }: Session, element: Element | null): Omit<MenuRequest, 'screen'> | null {
  const isByKeyboard = element === null || element === window.document.body
  if (!isByKeyboard && !element.closest('.react-flow__nodesselection')) return null
  const { nodes, edges } = view.getState()
  if (nodes.length > 0) return { target: nodes.length > 1 ? 'selection' : 'card' }
  return edges.length === 1 ? { target: 'edge' } : null
}

function kindOf(element: Element | null): 'card' | 'note' | 'group' {
  const { classList } = element?.closest('.react-flow__node') ?? {}
  if (classList?.contains('react-flow__node-note')) return 'note'
  return classList?.contains('react-flow__node-group') ? 'group' : 'card'
}

/** Where the menu of an element opens without a pointer: at its middle, or in the middle of the window. */
function cornerOf(element: Element | null): Point {
  const box = element && element !== window.document.body ? element.getBoundingClientRect() : null
  if (!box || box.width === 0) return { x: window.innerWidth / 2, y: window.innerHeight / 3 }
  return { x: box.left + box.width / 2, y: box.top + Math.min(box.height / 2, 40) }
}
