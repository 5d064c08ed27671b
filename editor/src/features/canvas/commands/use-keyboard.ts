import { type RefObject, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '@/document/session'
import { useSession } from '@/document/use-session'
import { isSingle, singleKeys } from '@/lib/single-key-shortcuts'
import { aim, backToCard, onCanvasKey, onTab } from './canvas-keys'
import { enter } from './card-tab-order'
import { type Command, commandsOf } from './commands'
import { isFloating, isModal, isTurned, isTyping } from './key-targets'
import { toRegion } from './page-regions'
import { pressed } from './shortcut-keys'
import { useClipboard } from './use-clipboard'

/** The whole editor by keyboard, and the clipboard. */
export function useKeyboard(root: RefObject<HTMLElement | null>) {
  const session = useSession()
  const { t } = useTranslation('canvas')
  useClipboard()
  useEntering(root)

  useEffect(() => {
    const commands = commandsOf(session, t)
    const onKey = (event: KeyboardEvent) => {
      if (session.view.getState().mode !== 'edit' || event.defaultPrevented || event.isComposing) return
      if (taken(session, root.current, commands, event)) event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [session, t, root])
}

function taken(
  session: Session,
  root: HTMLElement | null,
  commands: readonly Command[],
  event: KeyboardEvent,
): boolean {
  if (event.key === 'F6' && !isModal()) {
    toRegion(session, event.shiftKey)
    return true
  }
  if (isFloating(event.target)) return obey(session, commands, event, true)
  if (backToCard(session, event) || onTab(session, root, event)) return true
  const busy = isTyping(event.target) || isTurned(event)
  return (!busy && onCanvasKey(session, root, event)) || obey(session, commands, event, busy)
}

/** Runs the command of a key press; true when there was one. */
function obey(session: Session, commands: readonly Command[], event: KeyboardEvent, busy: boolean): boolean {
  if (isSingle(event) && !singleKeys()) return false
  const command = commands.find(({ keys }) => keys && pressed(event, keys))
  if (!command || byClipboard(command.id)) return false
  if ((busy && !command.always) || (command.edits && !session.canEdit)) return false
  // In front of a dialog nothing but what is in it can be asked for; work can be saved at any time.
  if (isModal() && command.id !== 'save') return true
  if (command.aims) aim(session)
  const able = command.when?.() ?? true
  if (able) command.run()
  // Alt with an arrow goes back and forth in the browser, where there is no note to take it.
  return able || !event.altKey
}

/** The browser's own copy, cut and paste do these, with no permission to ask for. */
function byClipboard(id: string): boolean {
  return id === 'copy' || id === 'cut' || id === 'paste'
}

/** Tab from outside comes to a card as one reads them, and not as they lie in the document. */
function useEntering(root: RefObject<HTMLElement | null>) {
  const session = useSession()
  useEffect(() => {
    const canvas = root.current
    let tab: { back: boolean } | null = null
    const onKey = ({ key, shiftKey }: KeyboardEvent) => {
      tab = key === 'Tab' ? { back: shiftKey } : null
    }
    const onFocus = ({ target, relatedTarget }: FocusEvent) => {
      const cards = canvas?.querySelector('.react-flow__viewport')
      const comes = cards?.contains(target as Node) && !cards.contains(relatedTarget as Node | null)
      if (tab && comes) enter(session, tab.back)
    }
    window.addEventListener('keydown', onKey, { capture: true })
    canvas?.addEventListener('focusin', onFocus)
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true })
      canvas?.removeEventListener('focusin', onFocus)
    }
  }, [session, root])
}
