import { useEffect } from 'react'

/** Restores lost focus for keyboard users; the code loads with the first key press. */
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
