import { create } from 'zustand'
import { i18n } from './i18n'
import { dismissToast, toast, toastError } from './toasts'

/** How long a toast that is pointed at, or whose window is in the background, may hold a deletion back. */
const MAX_WAIT_MS = 60_000

/** Pending deletions that can still be undone: lists leave these ids out. */
const usePending = create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }))

export function usePendingDeletions(): ReadonlySet<string> {
  return usePending((state) => state.ids)
}

type UndoOptions = {
  ids: readonly string[]
  /** The message that it is deleted. */
  title: string
  /** The message that the deletion failed. */
  failed: string
  /** The deletion, run once the toast has closed without Undo, or when the page is being left. */
  commit: (leaving: boolean) => Promise<unknown>
}

const pendingFinishes = new Set<(leaving: boolean) => void>()

/** Deletes with undo instead of a confirmation: nothing is sent while undo is possible. */
export function withUndo({ ids, title, failed, commit }: UndoOptions): void {
  const timer = setTimeout(() => dismissToast(notice), MAX_WAIT_MS)
  setPending(ids, true)
  pendingFinishes.add(finish)
  function finish(leaving: boolean) {
    if (!stopTimer()) return
    void commit(leaving)
      .catch((error: unknown) => toastError(failed, error))
      .finally(() => setPending(ids, false))
  }
  function undo() {
    if (stopTimer()) setPending(ids, false)
  }
  function stopTimer(): boolean {
    clearTimeout(timer)
    return pendingFinishes.delete(finish)
  }
  const action = { label: i18n.t('common:undo'), onPress: undo }
  const notice = toast({ title, action, onClose: () => finish(false) })
}

function setPending(ids: readonly string[], going: boolean): void {
  usePending.setState(({ ids: known }) => {
    const next = new Set(known)
    for (const id of ids) going ? next.add(id) : next.delete(id)
    return { ids: next }
  })
}

// Leaving the page does not undo.
window.addEventListener('pagehide', () => {
  for (const finish of [...pendingFinishes]) finish(true)
})
