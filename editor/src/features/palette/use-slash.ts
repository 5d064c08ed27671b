import { useEffect, useRef } from 'react'

/** `/` calls for a node from anywhere but a field or a dialog. */
export function useSlash(called: () => void) {
  const latest = useRef(called)
  latest.current = called
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.closest('input, textarea, [role=dialog]')
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.defaultPrevented) return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
