import { type RefObject, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { copyChosen, nudge, pasteText, removeChosen } from '@/document/actions'
import type { Session } from '@/document/session'
import { useSession } from '@/document/use-session'
import { type Command, commandsOf } from './commands'
import { pressed } from './keys'
import { walk } from './walk'

const ARROWS: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** The whole editor by keyboard, and the clipboard. */
export function useKeyboard(root: RefObject<HTMLElement | null>) {
  const session = useSession()
  const { t } = useTranslation('canvas')

  useEffect(() => {
    const commands = commandsOf(session, t)
    const onKey = (event: KeyboardEvent) => {
      if (session.view.getState().mode !== 'edit') return
      const busy = isTyping(event.target) || isElsewhere(event.target)
      if (backToCard(session, event)) return event.preventDefault()
      const taken = !busy && onCanvasKey(session, root.current, event)
      if (taken || obey(session, commands, event, busy)) event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [session, t, root])

  useEffect(() => {
    const idle = (event: Event) =>
      session.view.getState().mode !== 'edit' || isTyping(event.target) || isElsewhere(event.target)
    const onCopy = (event: ClipboardEvent) => {
      if (idle(event) || window.getSelection()?.isCollapsed === false) return
      const text = copyChosen(session)
      if (!text) return
      event.clipboardData?.setData('text/plain', text)
      event.preventDefault()
      if (event.type === 'cut' && session.canEdit) removeChosen(session)
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

/** Runs the command of a key press; true when there was one. */
function obey(session: Session, commands: readonly Command[], event: KeyboardEvent, busy: boolean): boolean {
  const command = commands.find(({ keys }) => keys && pressed(event, keys))
  if (!command || byClipboard(command.id)) return false
  if ((busy && !command.always) || (command.edits && !session.canEdit)) return false
  if (command.when?.() ?? true) command.run()
  return true
}

/** The browser's own copy, cut and paste do these, with no permission to ask for. */
function byClipboard(id: string): boolean {
  return id === 'copy' || id === 'cut' || id === 'paste'
}

/** Keys that mean something only on the canvas itself. True when the key was taken. */
function onCanvasKey(session: Session, root: HTMLElement | null, event: KeyboardEvent): boolean {
  if (event.key === 'Escape') return leave(session)
  if (event.metaKey || event.ctrlKey || event.altKey) return false
  const onCanvas = root?.contains(event.target as Node) ?? false
  if (event.key === 'Tab' && onCanvas && root) return walk(session, root, event)
  const arrow = ARROWS[event.key]
  if (arrow) return move(session, event, arrow)
  return event.key === 'Enter' && onCanvas && open(session, event.target)
}

function leave(session: Session): boolean {
  const { palette, refusal, connecting, adding, nodes, edges } = session.view.getState()
  const open = Boolean(palette || refusal || adding || connecting?.byTap)
  session.view.setState({ palette: null, refusal: null, adding: false, connecting: null })
  if (!open) session.view.select([])
  return open || nodes.length > 0 || edges.length > 0
}

function move(session: Session, event: KeyboardEvent, { x, y }: { x: number; y: number }): boolean {
  const focused = nodeOf(event.target)
  if (session.view.getState().nodes.length === 0 && focused) session.view.select([focused])
  if (session.view.getState().nodes.length === 0 || !session.canEdit) return false
  const by = event.shiftKey ? 44 : 11
  nudge(session, { x: x * by, y: y * by })
  return true
}

/** Enter on a card chooses it and goes to its settings. */
function open(session: Session, target: EventTarget | null): boolean {
  const id = nodeOf(target)
  if (!id || !(target as HTMLElement).classList.contains('react-flow__node')) return false
  session.view.select([id])
  session.view.setState(({ inspect }) => ({ tab: 'settings', inspect: inspect + 1, inspecting: true }))
  return true
}

/** Escape in the inspector brings the keyboard back to the card that it is about; a list open in it closes first. */
function backToCard(session: Session, event: KeyboardEvent): boolean {
  if (event.key !== 'Escape' || event.defaultPrevented || !(event.target instanceof Element)) return false
  const chosen = session.view.getState().nodes[0]
  if (!chosen || !event.target.closest('[data-inspector]')) return false
  session.view.setState({ inspecting: false })
  session.stage?.focusNode(chosen)
  return true
}

export function nodeOf(target: EventTarget | null): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('.react-flow__node')?.dataset.id : undefined
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable || target.matches('input:not([type=radio]):not([type=color]), textarea, select')
  )
}

/** A dialog, menu or list has the keys to itself. */
function isElsewhere(target: EventTarget | null): boolean {
  if (document.querySelector('[role=dialog][data-state=open], [role=menu][data-state=open]')) return true
  return (
    target instanceof Element &&
    target.closest('[role=listbox], [role=slider], [role=radiogroup], [role=tablist]') !== null
  )
}
