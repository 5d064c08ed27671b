import { useStoreApi } from '@xyflow/react'
import { useEffect } from 'react'

/** The viewport, and the size of the canvas on the screen. */
export interface View {
  readonly transform: readonly [x: number, y: number, zoom: number]
  readonly width: number
  readonly height: number
}

/** Draws now, and on the next frame after the viewport or the theme has changed: no component renders for it. */
export function useDrawing(draw: (view: View) => void) {
  const store = useStoreApi()
  useEffect(() => {
    let frame = 0
    let drawn: View | null = null
    const now = () => {
      frame = 0
      const { transform, width, height } = store.getState()
      drawn = { transform, width, height }
      draw(drawn)
    }
    const soon = () => {
      if (frame === 0) frame = requestAnimationFrame(now)
    }
    now()
    const stop = store.subscribe(({ transform, width, height }) => {
      if (drawn?.transform !== transform || drawn.width !== width || drawn.height !== height) soon()
    })
    const themed = new MutationObserver(soon)
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      stop()
      themed.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [store, draw])
}
