import { useRef } from 'react'
import { overlayRoot } from './overlay-root'

/** What menus, selects, popovers and comboboxes have in common: the sheet and its rows. */
export const panelClass =
  'z-50 overflow-hidden rounded-m border border-hairline bg-surface text-ink shadow-float data-[state=open]:animate-appear data-[state=closed]:animate-fade-out'

export const panelItemClass =
  // cmdk writes data-disabled="false", Radix leaves the attribute out.
  'relative flex min-h-9 cursor-default select-none items-center gap-2.5 rounded-s px-2.5 py-1.5 text-base outline-none not-data-[disabled=false]:data-disabled:pointer-events-none not-data-[disabled=false]:data-disabled:opacity-50 focus-visible:outline-2 focus-visible:outline-cobalt focus-visible:-outline-offset-2 data-highlighted:bg-sunken data-[selected=true]:bg-sunken [&_svg]:size-4'

/** How far a menu or popover stands from its trigger and from the window's edge. */
export const panelOffset = { sideOffset: 6, collisionPadding: 8 } as const

/** What last had the focus beneath everything that floats. A menu is gone before the dialog that it opened. */
let beneath: HTMLElement | null = null

function remember(target: EventTarget | null) {
  if (target instanceof HTMLElement && target !== document.body && !overlayRoot()?.contains(target))
    beneath = target
}
remember(document.activeElement)
document.addEventListener('focusin', ({ target }) => remember(target))

/** For what floats without a trigger of its own: gives the focus back to what had it when it opened. */
export function useReturnFocus(open: boolean): (closed: Event) => void {
  const opener = useRef<Element | null>(null)
  const was = useRef(false)
  // Read while it is drawn: by the time of an effect, a field inside may have taken the focus.
  if (open && !was.current) opener.current = document.activeElement
  was.current = open
  return (closed) => {
    closed.preventDefault()
    returnFocus(opener.current)
  }
}

/** Leaves the focus where it is when somebody has it already, as a card just made has. */
export function returnFocus(opener: Element | null = null): void {
  if (hasFocus()) return
  const usable = [opener, beneath].find((one) => one?.isConnected && one !== document.body)
  if (usable instanceof HTMLElement) usable.focus({ preventScroll: true })
}

/** Gives the focus back to what had it beneath everything that floats; without that, to nobody. */
export function leaveFloating(): void {
  const { activeElement } = document
  if (!overlayRoot()?.contains(activeElement)) return
  if (beneath?.isConnected) beneath.focus({ preventScroll: true })
  else if (activeElement instanceof HTMLElement) activeElement.blur()
}

/** Whether something has the focus, and not the page as a whole. */
export function hasFocus(): boolean {
  return document.activeElement !== null && document.activeElement !== document.body
}
