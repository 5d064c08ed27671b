import { type RefObject, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '@/document/session'
import { useSession } from '@/document/use-session'
import { hasSingleKeyShortcuts, isSingleKey } from '@/lib/single-key-shortcuts'
import { toast } from '@/lib/toasts'
import { focusOwningCard, onCanvasKey, onTab, selectFocusedCard } from './canvas-keys'
import type { Command } from './command'
import { commandsOf } from './commands'
import { enterCards, focusRegion } from './focus-navigation'
import { isFloating, isModal, isTyping, MODIFIERS, usesArrowKeys } from './key-targets'
import { isPressed } from './shortcut-keys'
import { useClipboard } from './use-clipboard'

/** Handles all keyboard shortcuts of the editor, and the clipboard. */
export function useKeyboard(root: RefObject<HTMLElement | null>) {
  const session = useSession()
  const { t } = useTranslation('canvas')
  useClipboard()
  useCardEntry(root)

  useEffect(() => {
    // Not before the first key: the texts of all commands take long while the canvas opens.
    let commands: readonly Command[] | undefined
    const onKey = (event: KeyboardEvent) => {
      if (session.view.getState().mode !== 'edit' || event.defaultPrevented || event.isComposing) return
      if (MODIFIERS.has(event.key)) return
      commands ??= commandsOf(session, t)
      if (handleKey(session, root.current, commands, event)) event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [session, t, root])
}

function handleKey(
  session: Session,
  root: HTMLElement | null,
  commands: readonly Command[],
  event: KeyboardEvent,
): boolean {
  if (event.key === 'F6' && !isModal()) {
    focusRegion(session, event.shiftKey)
    return true
  }
  if (isFloating(event.target)) return runCommand(session, commands, event, true)
  if (focusOwningCard(session, event) || onTab(session, root, event)) return true
  const busy = isTyping(event.target) || usesArrowKeys(event)
  return (!busy && onCanvasKey(session, root, event)) || runCommand(session, commands, event, busy)
}

/** Runs the command of a key press; returns true when there was one. */
function runCommand(
  session: Session,
  commands: readonly Command[],
  event: KeyboardEvent,
  busy: boolean,
): boolean {
  if (isSingleKey(event) && !hasSingleKeyShortcuts()) return false
  const command = commands.find(({ keys }) => keys && isPressed(event, keys))
  if (!command || byClipboard(command.id)) return false
  if ((busy && !command.always) || (command.edits && !session.canEdit)) return false
  // While a dialog is open, only saving is available.
  if (isModal() && command.id !== 'save') return true
  if (command.aims) selectFocusedCard(session)
  const isAllowed = command.when?.() ?? true
  if (isAllowed) command.run()
  else showRefusal(command)
  // Alt with an arrow navigates in the browser, unless a note is selected.
  return isAllowed || !event.altKey
}

/** Says why a command is not available for the selection. */
function showRefusal(command: Command) {
  const title = command.refusal?.()
  if (title) toast({ title })
}

/** The clipboard events of the browser handle these keys, without a permission. */
function byClipboard(id: string): boolean {
  return id === 'copy' || id === 'cut' || id === 'paste'
}

/** Tab from outside the canvas focuses a card by reading order instead of DOM order. */
function useCardEntry(root: RefObject<HTMLElement | null>) {
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
      if (tab && comes) enterCards(session, tab.back)
    }
    window.addEventListener('keydown', onKey, { capture: true })
    canvas?.addEventListener('focusin', onFocus)
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true })
      canvas?.removeEventListener('focusin', onFocus)
    }
  }, [session, root])
}
