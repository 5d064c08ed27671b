import { useEffect, useRef, useState } from 'react'
import { filesIn, hasFiles, hasText } from './files'

type PageDrop = {
  /** The files, and the point of the window where they were dropped; no point for pasted ones. */
  onFiles: (files: File[], at?: { x: number; y: number }) => void
  /** Whether to accept pasted files as well. */
  paste?: boolean
}

/** Accepts files dropped or pasted anywhere on the page. Returns whether a drag is over the page. */
export function usePageDrop({ onFiles, paste = true }: PageDrop): boolean {
  const [over, setOver] = useState(false)
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    const enter = (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      const files = filesIn(event.dataTransfer)
      if (event.defaultPrevented || files.length === 0) return
      event.preventDefault()
      latest.current(files, { x: event.clientX, y: event.clientY })
    }
    const pasted = (event: ClipboardEvent) => {
      const files = filesIn(event.clipboardData)
      if (!paste || event.defaultPrevented || files.length === 0) return
      if (isField(event.target) && hasText(event.clipboardData)) return
      event.preventDefault()
      latest.current(files)
    }
    const listening = new AbortController()
    const { signal } = listening
    window.addEventListener('dragenter', enter, { signal })
    window.addEventListener('dragover', enter, { signal })
    window.addEventListener('dragleave', leave, { signal })
    window.addEventListener('drop', drop, { signal })
    // A field that accepts files stops the event itself.
    window.addEventListener('drop', () => setOver(false), { signal, capture: true })
    window.addEventListener('paste', pasted, { signal })
    return () => listening.abort()
  }, [paste])
  return over
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, [contenteditable]')
}
