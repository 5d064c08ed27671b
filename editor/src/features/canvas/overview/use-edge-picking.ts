import { useStoreApi } from '@xyflow/react'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '@/document/use-session'
import type { Point } from '@/graph/document'
import { type EdgeLine, edgeLineAt } from './edge-lines'

/** How near a thread must lie to what is pressed, in pixels of the screen. */
const REACH = 7
const REACH_BY_TOUCH = 16

/** Threads are no elements: the one under the pointer is found in their drawing, and pressing it chooses it. */
export function useEdgePicking(threads: readonly EdgeLine[]) {
  const session = useSession()
  const store = useStoreApi()
  const latest = useRef(threads)
  latest.current = threads
  const [pointed, setPointed] = useState<string | null>(null)
  const [picked, setPicked] = useState<{ id: string; at: Point } | null>(null)

  useEffect(() => {
    const { domNode } = store.getState()
    if (!domNode) return
    const under = (event: PointerEvent | MouseEvent, reach: number) => {
      if (!(event.target as Element).closest('.react-flow__pane')) return null
      const at = session.viewport?.toFlowPosition({ x: event.clientX, y: event.clientY })
      const thread = at && edgeLineAt(at, latest.current, reach / store.getState().transform[2])
      return thread ? { id: thread.id, at } : null
    }
    const point = (id: string | null) => {
      setPointed(id)
      domNode.toggleAttribute('data-over-edge', id !== null)
    }
    const onMove = (event: PointerEvent) => {
      if (event.pointerType === 'mouse') point(event.buttons === 0 ? (under(event, REACH)?.id ?? null) : null)
    }
    const onClick = (event: MouseEvent) => {
      if (!(event.target as Element).closest('.react-flow__pane')) return
      const byTouch = (event as PointerEvent).pointerType === 'touch'
      const found = under(event, byTouch ? REACH_BY_TOUCH : REACH)
      const before = event.metaKey || event.ctrlKey ? session.view.getState().edges : []
      setPicked(found)
      session.view.setState({ edges: found ? [...new Set([...before, found.id])] : [] })
    }
    const onLeave = () => point(null)
    domNode.addEventListener('pointermove', onMove)
    domNode.addEventListener('pointerleave', onLeave)
    domNode.addEventListener('click', onClick)
    return () => {
      domNode.removeEventListener('pointermove', onMove)
      domNode.removeEventListener('pointerleave', onLeave)
      domNode.removeEventListener('click', onClick)
      domNode.removeAttribute('data-over-edge')
    }
  }, [session, store])

  return { pointed, picked }
}
