import { useEffect, useRef } from 'react'
import { useSession } from '@/document/use-session'
import type { ViewState } from '@/document/view-store'

/** Between the canvas and its history the whole page changes: the keyboard comes along. */
export function useModeFocus(mode: ViewState['mode']) {
  const session = useSession()
  const was = useRef(mode)
  useEffect(() => {
    if (was.current === mode) return
    was.current = mode
    const [card] = session.view.getState().nodes
    if (mode === 'edit' && card) session.viewport?.focusNode(card)
    else document.querySelector<HTMLElement>(STARTS[mode])?.focus()
  }, [mode, session])
}

/** The way into the history, and its list. */
const STARTS = { edit: '[data-history]', history: 'main li button' } as const
