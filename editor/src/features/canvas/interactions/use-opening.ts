import { useStoreApi } from '@xyflow/react'
import { startTransition, useEffect, useRef, useState } from 'react'
import type { Session } from '@/document/session'
import { useSession } from '@/document/use-session'
import { WIDTHS } from '@/lib/browser-hooks'
import type { CanvasNode } from './canvas-elements'

/** Cards that are drawn in one task while the canvas opens. */
const CARDS_AT_ONCE = { phone: 1, desk: 4 }
const ALL = Number.POSITIVE_INFINITY

/**
 * The nodes to draw while the canvas opens: in each task a few more of the cards in view, so that the page answers in
 * between, since React Flow draws at once what it is given. Null once these are drawn: edges and all other nodes follow.
 */
export function useOpening(nodes: readonly CanvasNode[]): CanvasNode[] | null {
  const session = useSession()
  const store = useStoreApi()
  const inView = useRef<readonly string[]>([])
  const [drawn, setDrawn] = useState(0)
  useEffect(() => {
    if (drawn === ALL) return
    if (drawn === 0) inView.current = cardsInView(session, store.getState())
    const isPhone = store.getState().width < WIDTHS.tablet
    const next = drawn + CARDS_AT_ONCE[isPhone ? 'phone' : 'desk']
    const isComplete = drawn >= inView.current.length
    const timer = setTimeout(() => startTransition(() => setDrawn(isComplete ? ALL : next)))
    return () => clearTimeout(timer)
  }, [drawn, session, store])
  if (drawn === ALL) return null
  const ids = new Set(inView.current.slice(0, drawn))
  return nodes.filter(({ id }) => ids.has(id))
}

type View = { transform: readonly [x: number, y: number, zoom: number]; width: number; height: number }

function cardsInView(session: Session, { transform: [left, top, zoom], width, height }: View): string[] {
  return session.document.nodes
    .filter(({ id, position }) => {
      const size = session.sizeOf(id)
      const [x, y] = [position.x * zoom + left, position.y * zoom + top]
      return x < width && y < height && x + size.width * zoom > 0 && y + size.height * zoom > 0
    })
    .map(({ id }) => id)
}
