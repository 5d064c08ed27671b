import { i18n } from '@/lib/i18n'
import { dismissToast, endToastAction, toast } from '@/lib/toasts'
import type { Session } from './session'

type Notice = { title: string; description?: string | undefined; duration?: number }

let shown: { session: Session; toast: number } | null = null

/** Says what the last edit did, with an undo of that edit, which after further edits is `restore` or none. */
export function toastWithUndo(session: Session, notice: Notice, restore?: () => void): void {
  const after = session.document
  const end = session.flow.store.subscribe(({ document }) => {
    if (document !== after && !restore) endToastAction(id)
  })
  const id = toast({
    ...notice,
    action: {
      label: i18n.t('common:undo'),
      onPress: () => (session.document === after ? session.flow.undo() : restore?.()),
    },
    onClose: end,
  })
  shown = { session, toast: id }
}

/** Closes what is said about an agent that is left: its undo would change nothing that is seen. */
export function closeToastWithUndo(session: Session): void {
  if (shown?.session !== session) return
  dismissToast(shown.toast)
  shown = null
}
