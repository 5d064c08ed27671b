import { startTransition, useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'

/** Sets the title of the page, for the window, the history and screen readers. */
export function useTitle(title: string | undefined): void {
  const { t } = useTranslation('common')
  const product = t('product')
  useEffect(() => {
    document.title = title ? `${title} · ${product}` : product
  }, [title, product])
}

let hasRenderedOnce = false

/**
 * The part of the page that is rendered by now, from 0 to `last`. The first page of a visit is rendered part by part, each
 * in a transition after the one before it: each makes a task of its own, and a phone answers taps in between.
 */
export function useParts(last: number): number {
  const [part, setPart] = useState(hasRenderedOnce ? last : 0)
  useEffect(() => {
    hasRenderedOnce = true
    if (part < last) startTransition(() => setPart(part + 1))
  }, [part, last])
  return part
}

/** Whether the first page of the visit has rendered: false in its first render, true in a transition after it. */
export function useHasRendered(): boolean {
  return useParts(1) === 1
}

/** The current time in milliseconds, updated every second while enabled. */
export function useNow(ticking: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!ticking) return
    setNow(Date.now())
    const timer = window.setInterval(() => setNow(Date.now()), 1000)
    return () => window.clearInterval(timer)
  }, [ticking])
  return now
}

function listen(changed: () => void): () => void {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}

/** Whether the browser is online. */
export function useOnline(): boolean {
  return useSyncExternalStore(listen, () => navigator.onLine)
}

/**
 * Breakpoints: where an empty panel takes too much room, where the two panels of the editor no longer fit beside
 * the canvas, and where the layout is for phones.
 */
export const WIDTHS = { wide: 1280, desk: 1024, tablet: 768 } as const

/** Whether the window is narrower than this many pixels; re-renders on change. */
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
