import { overlayRoot } from '@/components/overlay-root'
import { tabStopsIn } from '@/components/tab-stops'

/** The focused element: its page, position and ancestors, innermost first. */
interface Place {
  readonly element: Element
  readonly page: string
  readonly around: readonly HTMLElement[]
  readonly box: DOMRect
}

/**
 * Keeps the focus on the page for keyboard users: when the focused element is removed (a card by undo, a row by its
 * menu), the nearest focusable element in the remaining ancestor gets the focus.
 * Returns a function that stops it.
 */
export function restoreFocus(): () => void {
  let byKeys = true
  let asked = 0
  // An overlay is removed as a whole; the focus returns to what is beneath it.
  let last: Place | null = null
  let beneath: Place | null = null
  const took = (element: Element | null) => {
    if (!(element instanceof HTMLElement) || element === document.body) return
    last = placeOf(element)
    if (!overlayRoot()?.contains(element)) beneath = last
  }
  const onFocus = ({ target }: FocusEvent) => took(target as Element)
  const onKey = () => {
    byKeys = true
    // Cards move, so the position is read while the element exists.
    if (last?.element.isConnected) took(last.element)
  }
  const onPointer = () => {
    byKeys = false
  }
  const restore = () => {
    if (!last || !byKeys || !isLost(last)) return
    const next = nearestTo(last) ?? (beneath && (stillThere(beneath) ?? nearestTo(beneath)))
    next?.focus({ preventScroll: true })
  }
  // Dialogs and new cards take the focus slightly later; restore it only if nothing else has.
  const watch = new MutationObserver(() => {
    if (!last || !byKeys || !isLost(last)) return
    cancelAnimationFrame(asked)
    asked = requestAnimationFrame(() => setTimeout(restore))
  })
  took(document.activeElement)
  watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  document.addEventListener('focusin', onFocus)
  window.addEventListener('keydown', onKey, { capture: true })
  window.addEventListener('pointerdown', onPointer, { capture: true })
  return () => {
    watch.disconnect()
    cancelAnimationFrame(asked)
    document.removeEventListener('focusin', onFocus)
    window.removeEventListener('keydown', onKey, { capture: true })
    window.removeEventListener('pointerdown', onPointer, { capture: true })
  }
}

/** A new page starts at its top. */
function isLost({ element, page }: Place): boolean {
  if (page !== window.location.pathname) return false
  const { activeElement, body } = document
  const gone = !element.isConnected || element.matches(':disabled')
  return gone && (activeElement === body || activeElement === null || activeElement === element)
}

function placeOf(element: HTMLElement): Place {
  const around: HTMLElement[] = []
  const ends = [document.body, overlayRoot()]
  for (let one = element.parentElement; one && !ends.includes(one); one = one.parentElement) around.push(one)
  return { element, page: window.location.pathname, around, box: element.getBoundingClientRect() }
}

function stillThere({ element }: Place): HTMLElement | undefined {
  const usable = element instanceof HTMLElement && element.isConnected && !element.matches(':disabled')
  return usable ? element : undefined
}

function nearestTo({ around, box }: Place): HTMLElement | undefined {
  for (const place of around.filter((one) => one.isConnected)) {
    const away = (one: HTMLElement) => distance(one.getBoundingClientRect(), box)
    const [nearest] = tabStopsIn(place).sort((one, other) => away(one) - away(other))
    if (nearest) return nearest
  }
  return undefined
}

function distance(one: DOMRect, other: DOMRect): number {
  const middle = ({ x, y, width, height }: DOMRect) => ({ x: x + width / 2, y: y + height / 2 })
  const [from, to] = [middle(one), middle(other)]
  return Math.hypot(from.x - to.x, from.y - to.y)
}
