import { useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { useLiveViewport } from '../interactions/live-viewport'
import type { View } from '../interactions/visible-part'

/**
 * Calls `draw` in the next frame, and in a frame after each change of the viewport or the theme: no component renders for it.
 * When `draw` is another function than before, it is called at once.
 */
export function useDrawing(draw: (view: View) => void) {
  const store = useStoreApi()
  const live = useLiveViewport()
  const hasDrawn = useRef(false)
  useEffect(() => {
    let frame = 0
    let drawn: View | null = null
    const now = () => {
      frame = 0
      hasDrawn.current = true
      const { width, height } = store.getState()
      drawn = { transform: live.get(), width, height }
      draw(drawn)
    }
    const soon = () => {
      if (frame === 0) frame = requestAnimationFrame(now)
    }
    // Reading a color would compute the styles of the page, which its first frame does anyway.
    if (hasDrawn.current) now()
    else soon()
    const stopMoves = live.subscribe(soon)
    const stopSizes = store.subscribe(({ width, height }) => {
      if (drawn?.width !== width || drawn.height !== height) soon()
    })
    const themed = new MutationObserver(soon)
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      stopMoves()
      stopSizes()
      themed.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [store, live, draw])
}
