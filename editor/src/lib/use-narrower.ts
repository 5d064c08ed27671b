import { useCallback, useSyncExternalStore } from 'react'

/**
 * Where an empty panel would take more room than it is worth, where the editor's two panels no longer fit beside the
 * canvas, and where the canvas is held in a hand.
 */
export const WIDTHS = { wide: 1280, desk: 1024, tablet: 768 } as const

/** Whether the window is narrower than so many pixels; redraws when that changes. */
export function useNarrower(than: number): boolean {
  const listen = useCallback(
    (changed: () => void) => {
      const query = window.matchMedia(`(width < ${than}px)`)
      query.addEventListener('change', changed)
      return () => query.removeEventListener('change', changed)
    },
    [than],
  )
  return useSyncExternalStore(listen, () => window.matchMedia(`(width < ${than}px)`).matches)
}
