import { getViewportForBounds, type Viewport } from '@xyflow/react'
import type { Session } from '@/document/session'
import { findNode } from '@/graph/document'
import { bounds } from '@/graph/edits/arrange'
import { WIDTHS } from '@/lib/browser-hooks'

/** The space that the floating panels cover; content is scrolled into the area between them. */
const PANEL_INSETS = { top: '136px', left: '264px', right: '344px', bottom: '40px' } as const

/** The same with folded panels: the bars at the top, the button and the folded inspector at the bottom. */
const NARROW_INSETS = { top: '132px', left: '28px', right: '28px', bottom: '88px' } as const

const MIN_ZOOM = 0.06
/** The overview in the corner. */
const MINIMAP_HEIGHT = 96

/** Computed from the document, since cards outside the visible area have not been measured. */
export function viewportOf(
  session: Session,
  root: HTMLElement | null,
  nodes?: readonly string[],
  minZoom = MIN_ZOOM,
) {
  const ids = new Set(nodes ?? [])
  const chosen = session.document.nodes.filter((node) => ids.size === 0 || ids.has(node.id))
  const box = bounds(chosen.map((node) => ({ ...node.position, ...session.sizeOf(node.id) })))
  const { clientWidth: width, clientHeight: height } = root ?? { clientWidth: 1, clientHeight: 1 }
  const free = viewportInsets(root, session)
  const found = getViewportForBounds(box, width, height, minZoom, 1, free)
  const room = width - Number.parseFloat(free.left) - Number.parseFloat(free.right)
  // A flow wider than the visible area starts at its left edge.
  if (box.width * found.zoom <= room + 1) return found
  return { ...found, x: Number.parseFloat(free.left) - box.x * found.zoom }
}

/** The viewport, moved just enough that the focused card is between the panels and not beneath them. */
export function clearOfPanels(
  session: Session,
  root: HTMLElement | null,
  card: HTMLElement,
  view: Viewport,
): Viewport {
  const free = viewportInsets(root, session)
  const { clientWidth = 0, clientHeight = 0 } = root ?? {}
  const box = card.getBoundingClientRect()
  const room = {
    right: clientWidth - Number.parseFloat(free.right),
    bottom: clientHeight - Number.parseFloat(free.bottom),
  }
  const x = shiftInto(box.left, box.right, Number.parseFloat(free.left), room.right)
  const y = shiftInto(box.top, box.bottom, Number.parseFloat(free.top), room.bottom)
  return { ...view, x: view.x + x, y: view.y + y }
}

/** The shift that moves a range into an area; a range that is too large is aligned to its start. */
function shiftInto(start: number, end: number, from: number, to: number): number {
  if (start < from || end - start > to - from) return from - start
  return Math.min(0, to - end)
}

function viewportInsets(root: HTMLElement | null, session: Session) {
  if ((root?.clientWidth ?? 0) < WIDTHS.desk) return NARROW_INSETS
  const dock = document.documentElement.style.getPropertyValue('--dock-height') || '0px'
  const left = session.canEdit ? PANEL_INSETS.left : NARROW_INSETS.left
  const right = isInspectorShown(session, root) ? PANEL_INSETS.right : NARROW_INSETS.right
  const minimap = session.view.getState().minimap ? MINIMAP_HEIGHT : 0
  const bottom = `${40 + minimap + Number.parseFloat(dock)}px` as const
  return { ...PANEL_INSETS, left, right, bottom }
}

/** On narrow screens the inspector is shown only while a node is selected. */
function isInspectorShown(session: Session, root: HTMLElement | null): boolean {
  if (!session.canEdit || (root?.clientWidth ?? 0) >= WIDTHS.wide) return true
  const [chosen, ...others] = session.view.getState().nodes
  return chosen !== undefined && others.length === 0 && findNode(session.document, chosen) !== undefined
}
