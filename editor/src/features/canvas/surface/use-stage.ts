import { getViewportForBounds, useReactFlow } from '@xyflow/react'
import { type RefObject, useEffect } from 'react'
import type { Session } from '@/document/session'
import { useSession, useView } from '@/document/use-session'
import { bounds } from '@/graph/edits/arrange'
import { WIDTHS } from '@/lib/use-narrower'
import type { SurfaceNode } from './nodes'

const GLIDE = 200

/** Room that the floating panels take from the canvas: what is shown to somebody lies between them. */
const FREE_SPACE = { top: '92px', left: '264px', right: '344px', bottom: '40px' } as const

/** The same where the panels are folded: the bars above, the button and the folded inspector below. */
const FREE_BETWEEN = { top: '132px', left: '28px', right: '28px', bottom: '88px' } as const

/** Lends the canvas's eyes and hands to the session, and follows its wish to show a node. */
export function useStage(root: RefObject<HTMLElement | null>) {
  const session = useSession()
  const flow = useReactFlow<SurfaceNode>()
  const reveal = useView((view) => view.reveal)

  useEffect(() => {
    session.stage = {
      fit: (nodes) => void flow.setViewport(viewportOf(session, root.current, nodes), { duration: motion() }),
      zoom: (by) => {
        if (by === 'in') void flow.zoomIn({ duration: motion() })
        else if (by === 'out') void flow.zoomOut({ duration: motion() })
        else void flow.zoomTo(by, { duration: motion() })
      },
      centre: () => {
        const box = root.current?.getBoundingClientRect()
        const middle = {
          x: (box?.left ?? 0) + (box?.width ?? 0) / 2,
          y: (box?.top ?? 0) + (box?.height ?? 0) / 2,
        }
        const at = flow.screenToFlowPosition(middle)
        return { x: at.x - 116, y: at.y - 66 }
      },
      at: (screen) => flow.screenToFlowPosition(screen),
      glide: () => {
        root.current?.classList.add('gliding')
        setTimeout(() => root.current?.classList.remove('gliding'), GLIDE)
      },
      focusNode: (id) =>
        root.current?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)?.focus(),
    }
    const inHand = (root.current?.clientWidth ?? 0) < WIDTHS.tablet
    void flow.setViewport(viewportOf(session, root.current, undefined, inHand ? OPENS_IN_HAND_AT : OPENS_AT))
    return () => {
      session.stage = null
    }
  }, [session, flow, root])

  useEffect(() => {
    if (!reveal) return
    const node = flow.getNode(reveal.node)
    if (!node) return
    const { x, y } = node.position
    void flow.setCenter(x + 116, y + 90, { duration: motion(), zoom: Math.max(0.8, flow.getZoom()) })
  }, [reveal, flow])
}

/** A flow too large to be read whole opens at a zoom at which its cards can be told apart. */
const OPENS_AT = 0.5
const OPENS_IN_HAND_AT = 0.64
const LEAST = 0.06

/** Worked out from the document, since cards that were never on screen have not been measured. */
function viewportOf(session: Session, root: HTMLElement | null, nodes?: readonly string[], least = LEAST) {
  const wanted = new Set(nodes ?? [])
  const chosen = session.document.nodes.filter((node) => wanted.size === 0 || wanted.has(node.id))
  const box = bounds(chosen.map((node) => ({ ...node.position, ...session.sizeOf(node.id) })))
  const { clientWidth: width, clientHeight: height } = root ?? { clientWidth: 1, clientHeight: 1 }
  const free = padding(root, session.canEdit)
  const found = getViewportForBounds(box, width, height, least, 1, free)
  const room = width - Number.parseFloat(free.left) - Number.parseFloat(free.right)
  // What is wider than the room begins where one begins to read.
  if (box.width * found.zoom <= room + 1) return found
  return { ...found, x: Number.parseFloat(free.left) - box.x * found.zoom }
}

function motion(): number {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 180
}

function padding(root: HTMLElement | null, palette: boolean) {
  if ((root?.clientWidth ?? 0) < WIDTHS.desk) return FREE_BETWEEN
  const dock = document.documentElement.style.getPropertyValue('--dock-height') || '0px'
  const left = palette ? FREE_SPACE.left : FREE_BETWEEN.left
  return { ...FREE_SPACE, left, bottom: `${40 + Number.parseFloat(dock)}px` as const }
}
