import { useReactFlow, type Viewport } from '@xyflow/react'
import { type RefObject, useEffect } from 'react'
import { useSession } from '@/document/use-session'
import type { CanvasNode } from './canvas-elements'
import { animationDuration } from './motion'
import { clearOfInspector, isInspectorOpen } from './viewport-insets'

/**
 * Moves the view aside if the inspector that a selection opens would cover the selected card, and back when the
 * inspector closes, unless the view has been moved since.
 */
export function useClearOfInspector(root: RefObject<HTMLElement | null>) {
  const session = useSession()
  const flow = useReactFlow<CanvasNode>()
  useEffect(() => {
    const element = root.current
    let aside: { readonly from: Viewport; readonly to: Viewport } | null = null
    let isPressed = false
    const show = (view: Viewport) => void flow.setViewport(view, { duration: animationDuration() })
    /** The last move, unless the view has been moved since. */
    const lastMove = () => (aside && isSameView(aside.to, flow.getViewport()) ? aside : null)
    const moveBack = () => {
      const last = lastMove()
      aside = null
      if (last) show(last.from)
    }
    const moveAside = () => {
      const [id, ...others] = session.view.getState().nodes
      const now = flow.getViewport()
      if (id === undefined || others.length > 0) return
      const to = clearOfInspector(session, root.current, id, now)
      if (to.x === now.x) return
      aside = { from: lastMove()?.from ?? now, to }
      show(to)
    }
    const adjust = () => {
      if (isPressed) return
      if (isInspectorOpen(session)) moveAside()
      else moveBack()
    }
    // After a press: a card that is being dragged must not lose the pointer.
    const onDown = () => {
      isPressed = true
    }
    const onUp = () => {
      isPressed = false
      setTimeout(adjust)
    }
    const onCancel = () => {
      isPressed = false
    }
    // The inspector also closes by a key, by its button, or because its node was removed.
    const unsubscribe = session.view.subscribe(() => {
      if (aside && !isPressed && !isInspectorOpen(session)) setTimeout(adjust)
    })
    element?.addEventListener('pointerdown', onDown)
    element?.addEventListener('pointerup', onUp)
    element?.addEventListener('pointercancel', onCancel)
    return () => {
      unsubscribe()
      element?.removeEventListener('pointerdown', onDown)
      element?.removeEventListener('pointerup', onUp)
      element?.removeEventListener('pointercancel', onCancel)
    }
  }, [session, flow, root])
}

function isSameView(one: Viewport, other: Viewport): boolean {
  return Math.abs(one.x - other.x) < 1 && Math.abs(one.y - other.y) < 1 && one.zoom === other.zoom
}
