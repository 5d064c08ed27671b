import { create } from 'zustand'
import { i18n } from './i18n'
import { TOAST_DURATION, toast, toastError } from './toasts'

/** What is being deleted but may still be taken back: lists leave these ids out, whatever the server says. */
const useGoing = create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }))

export function usePendingDeletions(): ReadonlySet<string> {
  return useGoing((state) => state.ids)
}

type UndoOptions = {
  ids: readonly string[]
  /** Says what is gone. */
  title: string
  /** Says that it is not, after all. */
  failed: string
  /** What cannot be taken back: run once the notice has gone without Undo, or as the page is being left. */
  commit: (leaving: boolean) => Promise<unknown>
}

const waiting = new Set<(leaving: boolean) => void>()

/** Deletes with undo instead of "are you sure": nothing is sent while it can still be taken back. */
export function withUndo({ ids, title, failed, commit }: UndoOptions): void {
  const timer = setTimeout(finish, TOAST_DURATION, false)
  mark(ids, true)
  waiting.add(finish)
  function finish(leaving: boolean) {
    if (!settle()) return
    void commit(leaving)
      .catch((error: unknown) => toastError(failed, error))
      .finally(() => mark(ids, false))
  }
  function undo() {
    if (settle()) mark(ids, false)
  }
  function settle(): boolean {
    clearTimeout(timer)
    return waiting.delete(finish)
  }
  toast({ title, action: { label: i18n.t('common:undo'), onPress: undo } })
}

function mark(ids: readonly string[], going: boolean): void {
  useGoing.setState(({ ids: known }) => {
    const next = new Set(known)
    for (const id of ids) going ? next.add(id) : next.delete(id)
    return { ids: next }
  })
}

// Leaving the page is not undoing.
window.addEventListener('pagehide', () => {
  for (const finish of [...waiting]) finish(true)
})
