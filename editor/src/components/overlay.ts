import { useRef } from 'react'
import { overlayRoot } from './overlay-root'

/** Shared styles and focus handling of menus, selects, popovers and comboboxes. */
export const panelClass =
  'z-50 overflow-hidden rounded-m border border-hairline bg-surface text-ink shadow-float data-[state=open]:animate-appear data-[state=closed]:animate-fade-out'

export const panelItemClass =
  // cmdk sets data-disabled="false"; Radix omits the attribute.
  'relative flex min-h-9 cursor-default select-none items-center gap-2.5 rounded-s px-2.5 py-1.5 text-base outline-none not-data-[disabled=false]:data-disabled:pointer-events-none not-data-[disabled=false]:data-disabled:opacity-50 focus-visible:outline-2 focus-visible:outline-cobalt focus-visible:-outline-offset-2 data-highlighted:bg-sunken data-[selected=true]:bg-sunken [&_svg]:size-4'

/** Distance of a menu or popover from its trigger and from the edge of the window, in pixels. */
export const panelOffset = { sideOffset: 6, collisionPadding: 8 } as const

/** The last focused element beneath all overlays. A menu is closed before the dialog that it opens. */
let beneath: HTMLElement | null = null

function remember(target: EventTarget | null) {
  if (target instanceof HTMLElement && target !== document.body && !overlayRoot()?.contains(target))
    beneath = target
}
remember(document.activeElement)
document.addEventListener('focusin', ({ target }) => remember(target))

/** For overlays without a trigger: returns the focus to the element that had it before opening. */
export function useReturnFocus(open: boolean): (closed: Event) => void {
  const opener = useRef<Element | null>(null)
  const was = useRef(false)
  // Read during render: by the time of an effect, a field inside may have taken the focus.
  if (open && !was.current) opener.current = document.activeElement
  was.current = open
  return (closed) => {
    closed.preventDefault()
    returnFocus(opener.current)
  }
}

/** Keeps the focus if another element, such as a new card, already has it. */
export function returnFocus(opener: Element | null = null): void {
  if (hasFocus()) return
  const usable = [opener, beneath].find((one) => one?.isConnected && one !== document.body)
  if (usable instanceof HTMLElement) usable.focus({ preventScroll: true })
}

/** Returns the focus to the last element beneath all overlays; without one, to none. */
export function leaveFloating(): void {
  const { activeElement } = document
  if (!overlayRoot()?.contains(activeElement)) return
  if (beneath?.isConnected) beneath.focus({ preventScroll: true })
  else if (activeElement instanceof HTMLElement) activeElement.blur()
}

/** Whether an element other than the page has the focus. */
export function hasFocus(): boolean {
  return document.activeElement !== null && document.activeElement !== document.body
}
