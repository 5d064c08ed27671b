import { useEffect } from 'react'

/** Keeps a place on the page for whoever uses keys, from the first key on: who only points never loads it. */
export function useFocusRestore() {
  useEffect(() => {
    let over = false
    let end = () => {
      over = true
    }
    const begin = async () => {
      const { restoreFocus } = await import('./focus-restore')
      if (!over) end = restoreFocus()
    }
    const onKey = () => void begin()
    window.addEventListener('keydown', onKey, { once: true, capture: true })
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true })
      end()
    }
  }, [])
}
