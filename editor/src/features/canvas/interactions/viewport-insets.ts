import { getViewportForBounds, type Viewport } from '@xyflow/react'
import type { Session } from '@/document/session'
import { findNode } from '@/graph/document'
import { bounds } from '@/graph/edits/arrange'
import { WIDTHS } from '@/lib/browser-hooks'

/** The space that the floating panels cover; content is scrolled into the area between them. */
const PANEL_INSETS = { top: '136px', left: '264px', right: '344px' } as const

/** The same with folded panels: the bars at the top, the button and the folded inspector at the bottom. */
const NARROW_INSETS = { top: '132px', left: '28px', right: '28px', bottom: '88px' } as const

/** The edge where a panel is only a rail. */
const RAIL_INSET = '80px' as const

const MIN_ZOOM = 0.06
/** Below this zoom a flow takes the room of the folded inspector too. */
const ROOMY_ZOOM = 0.75
/** The overview in the corner. */
const MINIMAP_HEIGHT = 96
/** The run bar with its margin, whose room is kept before there is a run: it must not cover a card when one starts. */
const RUN_BAR_HEIGHT = 68
/** Between the run bar and the lowest card. */
const RUN_BAR_GAP = 16

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
  const roomy = viewportInsets(root, session)
  const isRail = width >= WIDTHS.wide && !isInspectorOpen(session)
  const fits = getViewportForBounds(box, width, height, minZoom, 1, roomy).zoom >= ROOMY_ZOOM
  const free = isRail && !fits ? { ...roomy, right: RAIL_INSET } : roomy
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

/** The viewport, moved to the left if the open inspector would cover the card of this node. */
export function clearOfInspector(
  session: Session,
  root: HTMLElement | null,
  id: string,
  view: Viewport,
): Viewport {
  const node = findNode(session.document, id)
  const width = root?.clientWidth ?? 0
  if (!node || width < WIDTHS.desk || !isInspectorOpen(session)) return view
  const edge = (node.position.x + session.sizeOf(id).width) * view.zoom + view.x
  return { ...view, x: view.x + Math.min(0, width - Number.parseFloat(PANEL_INSETS.right) - edge) }
}

/** The shift that moves a range into an area; a range that is too large is aligned to its start. */
function shiftInto(start: number, end: number, from: number, to: number): number {
  if (start < from || end - start > to - from) return from - start
  return Math.min(0, to - end)
}

function viewportInsets(root: HTMLElement | null, session: Session) {
  if ((root?.clientWidth ?? 0) < WIDTHS.desk) return NARROW_INSETS
  const dock = document.documentElement.style.getPropertyValue('--dock-height') || '0px'
  const left = session.canEdit ? paletteInset(session) : NARROW_INSETS.left
  const right = isInspectorShown(session, root) ? PANEL_INSETS.right : NARROW_INSETS.right
  const minimap = session.view.getState().minimap ? MINIMAP_HEIGHT : 0
  const bar = Math.max(RUN_BAR_HEIGHT, Number.parseFloat(dock))
  const bottom = `${RUN_BAR_GAP + minimap + bar}px` as const
  return { ...PANEL_INSETS, left, right, bottom }
}

function paletteInset(session: Session) {
  return session.view.getState().isPaletteFolded ? RAIL_INSET : PANEL_INSETS.left
}

/** On narrow screens the inspector is shown only while a node is selected. */
function isInspectorShown(session: Session, root: HTMLElement | null): boolean {
  return (root?.clientWidth ?? 0) >= WIDTHS.wide || isInspectorOpen(session)
}

/** Whether the inspector, or a panel in its place, is more than a rail. */
export function isInspectorOpen(session: Session): boolean {
  const { dialog, nodes } = session.view.getState()
  if (!session.canEdit || dialog === 'problems' || dialog === 'variables') return true
  const [chosen, ...others] = nodes
  return chosen !== undefined && others.length === 0 && findNode(session.document, chosen) !== undefined
}
