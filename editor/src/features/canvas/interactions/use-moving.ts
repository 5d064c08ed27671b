import { useEffect, useMemo } from 'react'
import type { StoreApi } from 'zustand/vanilla'
import { useSession } from '@/document/use-session'

/**
 * Milliseconds without a move after which the canvas is at rest and is drawn again. After a shorter time it would be
 * drawn between two steps of a wheel.
 */
export const REST_MS = 300

/** Sets `isMoving` of a view from the first move until it is at rest. `stop` leaves it as it is. */
export function createMoving(view: StoreApi<{ readonly isMoving: boolean }>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    move() {
      clearTimeout(timer)
      timer = setTimeout(() => view.setState({ isMoving: false }), REST_MS)
      if (!view.getState().isMoving) view.setState({ isMoving: true })
    },
    stop: () => clearTimeout(timer),
  }
}

/** Returns the handler of moves of the canvas by the user. */
export function useMoving(): () => void {
  const { view } = useSession()
  const moving = useMemo(() => createMoving(view), [view])
  useEffect(
    () => () => {
      moving.stop()
      view.setState({ isMoving: false })
    },
    [moving, view],
  )
  return moving.move
}
