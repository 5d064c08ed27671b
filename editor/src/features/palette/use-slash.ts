import { useEffect, useRef } from 'react'
import { hasSingleKeyShortcuts } from '@/lib/single-key-shortcuts'

const BUSY = 'input, textarea, select, [contenteditable=true], [role=dialog], [role=menu], [role=listbox]'

/** `/` calls for a node from anywhere but a field or a dialog. */
export function useSlash(called: () => void) {
  const latest = useRef(called)
  latest.current = called
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.closest(BUSY)
      if (
        event.key !== '/' ||
        typing ||
        !hasSingleKeyShortcuts() ||
        event.ctrlKey ||
        event.metaKey ||
        event.defaultPrevented
      )
        return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
