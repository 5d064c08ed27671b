import { useEffect, useId } from 'react'

const dirty = new Set<string>()

/** Whether leaving this page would lose work. */
export function hasUnsavedWork(): boolean {
  return dirty.size > 0
}

/** Marks work as unsaved or saved. While any is unsaved the browser asks before leaving, and the page never reloads. */
export function markUnsaved(id: string, unsaved: boolean): void {
  if (unsaved) dirty.add(id)
  else dirty.delete(id)
  if (dirty.size > 0) window.addEventListener('beforeunload', ask)
  else window.removeEventListener('beforeunload', ask)
}

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

/** The same for a component: unsaved while it is mounted and `unsaved` is true. */
export function useUnsavedWork(unsaved: boolean): void {
  const id = useId()
  useEffect(() => {
    markUnsaved(id, unsaved)
    return () => markUnsaved(id, false)
  }, [id, unsaved])
}
