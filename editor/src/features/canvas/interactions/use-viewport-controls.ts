import { useReactFlow } from '@xyflow/react'
import { type RefObject, useEffect, useRef } from 'react'
import type { Session } from '@/document/session'
import { useSession, useView } from '@/document/use-session'
import type { ViewState } from '@/document/view-store'
import { findNode, notesOf } from '@/graph/document'
import { WIDTHS } from '@/lib/browser-hooks'
import type { CanvasNode } from './canvas-elements'
import { focusCard } from './focus-card'
import { applyLegibleText } from './legible-text'
import { animationDuration } from './motion'
import { useClearOfInspector } from './use-clear-of-inspector'
import { LOW_ZOOM } from './use-low-zoom'
import { clearOfPanels, viewportOf } from './viewport-insets'

const MOVE_ANIMATION_MS = 200

/** Gives the session access to the viewport, and scrolls to nodes that the session requests. */
export function useViewportControls(root: RefObject<HTMLElement | null>) {
  const session = useSession()
  // React Flow returns another object once it has a viewport, with which the effects below would run again; the functions
  // of the first one read its state, too.
  const flow = useRef(useReactFlow<CanvasNode>()).current
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
      toScreenPosition: (at) => flow.flowToScreenPosition(at),
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
    const apply = ({ zoom, isMoving }: ViewState) => {
      root.current?.toggleAttribute('data-moving', isMoving && zoom >= LOW_ZOOM)
      if (!isMoving) applyLegibleText(root.current, zoom)
    }
    apply(session.view.getState())
    return session.view.subscribe(apply)
  }, [session, root])

  useClearOfInspector(root)

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

/** A flow too large to fit opens at a zoom at which its cards are legible. */
const MIN_OPENING_ZOOM = 0.5
const MIN_OPENING_ZOOM_PHONE = 0.64

/** Computed from the document, since new cards have not been rendered. */
function positionOf({ document }: Session, id: string) {
  return (findNode(document, id) ?? notesOf(document).find((note) => note.id === id))?.position
}
