import { getViewportForBounds, useReactFlow, type Viewport } from '@xyflow/react'
import { type RefObject, useEffect } from 'react'
import type { Session } from '@/document/session'
import { useSession, useView } from '@/document/use-session'
import { findNode, notesOf } from '@/graph/document'
import { bounds } from '@/graph/edits/arrange'
import { WIDTHS } from '@/lib/browser-hooks'
import type { CanvasNode } from './canvas-elements'
import { focusCard } from './focus-card'

const MOVE_ANIMATION_MS = 200

/** Room that the floating panels take from the canvas: what is shown to somebody lies between them. */
const PANEL_INSETS = { top: '92px', left: '264px', right: '344px', bottom: '40px' } as const

/** The same where the panels are folded: the bars above, the button and the folded inspector below. */
const NARROW_INSETS = { top: '132px', left: '28px', right: '28px', bottom: '88px' } as const

/** Lends the canvas's eyes and hands to the session, and follows its wish to show a node. */
export function useViewportControls(root: RefObject<HTMLElement | null>) {
  const session = useSession()
  const flow = useReactFlow<CanvasNode>()
  const reveal = useView((view) => view.reveal)

  useEffect(() => {
    session.viewport = {
      fit: (nodes) =>
        void flow.setViewport(viewportOf(session, root.current, nodes), { duration: animationDuration() }),
      zoom: (by) => {
        if (by === 'in') void flow.zoomIn({ duration: animationDuration() })
        else if (by === 'out') void flow.zoomOut({ duration: animationDuration() })
        else void flow.zoomTo(by, { duration: animationDuration() })
      },
      center: () => {
        const box = root.current?.getBoundingClientRect()
        const middle = {
          x: (box?.left ?? 0) + (box?.width ?? 0) / 2,
          y: (box?.top ?? 0) + (box?.height ?? 0) / 2,
        }
        const at = flow.screenToFlowPosition(middle)
        return { x: at.x - 116, y: at.y - 66 }
      },
      toFlowPosition: (screen) => flow.screenToFlowPosition(screen),
      animateNextMove: () => {
        root.current?.classList.add('animating-moves')
        setTimeout(() => root.current?.classList.remove('animating-moves'), MOVE_ANIMATION_MS)
      },
      focusNode: (id) =>
        focusCard(root.current, id, {
          missing: () => session.view.reveal(id),
          arrived: (card) =>
            void flow.setViewport(clearOfPanels(session, root.current, card, flow.getViewport())),
        }),
    }
    const isPhone = (root.current?.clientWidth ?? 0) < WIDTHS.tablet
    void flow.setViewport(
      viewportOf(session, root.current, undefined, isPhone ? MIN_OPENING_ZOOM_PHONE : MIN_OPENING_ZOOM),
    )
    return () => {
      session.viewport = null
    }
  }, [session, flow, root])

  useEffect(() => {
    if (!reveal) return
    const at = positionOf(session, reveal.node)
    if (!at) return
    const { x, y } = at
    void flow.setCenter(x + 116, y + 90, {
      duration: animationDuration(),
      zoom: Math.max(0.8, flow.getZoom()),
    })
  }, [reveal, flow, session])
}

/** A flow too large to be read whole opens at a zoom at which its cards can be told apart. */
const MIN_OPENING_ZOOM = 0.5
const MIN_OPENING_ZOOM_PHONE = 0.64
const MIN_ZOOM = 0.06

/** Worked out from the document, since cards that were never on screen have not been measured. */
function viewportOf(session: Session, root: HTMLElement | null, nodes?: readonly string[], least = MIN_ZOOM) {
  const wanted = new Set(nodes ?? [])
  const chosen = session.document.nodes.filter((node) => wanted.size === 0 || wanted.has(node.id))
  const box = bounds(chosen.map((node) => ({ ...node.position, ...session.sizeOf(node.id) })))
  const { clientWidth: width, clientHeight: height } = root ?? { clientWidth: 1, clientHeight: 1 }
  const free = viewportInsets(root, session)
  const found = getViewportForBounds(box, width, height, least, 1, free)
  const room = width - Number.parseFloat(free.left) - Number.parseFloat(free.right)
  // What is wider than the room begins where one begins to read.
  if (box.width * found.zoom <= room + 1) return found
  return { ...found, x: Number.parseFloat(free.left) - box.x * found.zoom }
}

/** Read from the document, which knows of a card before it is drawn. */
function positionOf({ document }: Session, id: string) {
  return (findNode(document, id) ?? notesOf(document).find((note) => note.id === id))?.position
}

/** The view, moved just so far that a card which has the keyboard lies between the panels and not beneath them. */
function clearOfPanels(
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

/** How far to move something so that it lies within; what is too large shows its beginning. */
function shiftInto(start: number, end: number, from: number, to: number): number {
  if (start < from || end - start > to - from) return from - start
  return Math.min(0, to - end)
}

function animationDuration(): number {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 180
}

function viewportInsets(root: HTMLElement | null, session: Session) {
  if ((root?.clientWidth ?? 0) < WIDTHS.desk) return NARROW_INSETS
  const dock = document.documentElement.style.getPropertyValue('--dock-height') || '0px'
  const left = session.canEdit ? PANEL_INSETS.left : NARROW_INSETS.left
  const right = isInspectorShown(session, root) ? PANEL_INSETS.right : NARROW_INSETS.right
  return { ...PANEL_INSETS, left, right, bottom: `${40 + Number.parseFloat(dock)}px` as const }
}

/** Where there is little room, the panel at the right is there for a chosen node alone. */
function isInspectorShown(session: Session, root: HTMLElement | null): boolean {
  if (!session.canEdit || (root?.clientWidth ?? 0) >= WIDTHS.wide) return true
  const [chosen, ...others] = session.view.getState().nodes
  return chosen !== undefined && others.length === 0 && findNode(session.document, chosen) !== undefined
}
