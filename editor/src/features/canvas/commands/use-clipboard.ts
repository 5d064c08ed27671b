import { useEffect } from 'react'
import { copySelected, pasteText, removeSelected } from '@/document/actions'
import { useSession } from '@/document/use-session'
import { selectFocusedCard } from './canvas-keys'
import { isFloating, isTyping } from './key-targets'

/** Copy, cut and paste of cards as text through clipboard events, which need no permission. */
export function useClipboard() {
  const session = useSession()
  useEffect(() => {
    const idle = ({ target }: Event) =>
      session.view.getState().mode !== 'edit' || isTyping(target) || isFloating(target)
    const onCopy = (event: ClipboardEvent) => {
      if (idle(event) || window.getSelection()?.isCollapsed === false) return
      selectFocusedCard(session)
      const text = copySelected(session)
      if (!text) return
      event.clipboardData?.setData('text/plain', text)
      event.preventDefault()
      if (event.type === 'cut' && session.canEdit) removeSelected(session)
    }
    const onPaste = (event: ClipboardEvent) => {
      if (idle(event) || !session.canEdit) return
      if (pasteText(session, event.clipboardData?.getData('text/plain') ?? '')) event.preventDefault()
    }
    document.addEventListener('copy', onCopy)
    document.addEventListener('cut', onCopy)
    document.addEventListener('paste', onPaste)
    return () => {
      document.removeEventListener('copy', onCopy)
      document.removeEventListener('cut', onCopy)
      document.removeEventListener('paste', onPaste)
    }
  }, [session])
}
