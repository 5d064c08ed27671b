import { useEffect } from 'react'

const STOPS = 'button, input, textarea, select, a[href], summary, [tabindex="0"]'

/** What had the focus: where it lay, and everything that it lay in, from the inside out. */
interface Place {
  readonly element: Element
  readonly around: readonly HTMLElement[]
  readonly box: DOMRect
}

/**
 * Whoever uses keys is never left without a place on the page: when what has the focus goes (a card that an undo
 * takes back, the button that begins a run), what lies nearest to it, in the part of the page that is left, gets it.
 */
export function useKeptFocus() {
  useEffect(() => {
    let last: Place | null = null
    let byKeys = false
    let asked = 0
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement) last = placeOf(target)
    }
    const onKey = () => {
      byKeys = true
      // Cards move; where one lay is read while it is there.
      if (last?.element.isConnected) last = placeOf(last.element)
    }
    const onPointer = () => {
      byKeys = false
    }
    const mend = () => {
      const place = last
      if (place && byKeys && isLost(place.element)) nearestTo(place)?.focus({ preventScroll: true })
    }
    // Dialogs and new cards take the focus a little later; only what nobody took is mended.
    const watch = new MutationObserver(() => {
      if (!last || !byKeys || !isLost(last.element)) return
      cancelAnimationFrame(asked)
      asked = requestAnimationFrame(() => setTimeout(mend))
    })
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
  }, [])
}

function isLost(element: Element): boolean {
  const { activeElement, body } = document
  const gone = !element.isConnected || element.matches(':disabled')
  return gone && (activeElement === body || activeElement === null || activeElement === element)
}

function placeOf(element: Element): Place {
  const around: HTMLElement[] = []
  for (let one = element.parentElement; one && one !== document.body; one = one.parentElement)
    around.push(one)
  return { element, around, box: element.getBoundingClientRect() }
}

function nearestTo({ around, box }: Place): HTMLElement | undefined {
  for (const place of around.filter((one) => one.isConnected)) {
    const stops = [...place.querySelectorAll<HTMLElement>(STOPS)].filter(canTake)
    const away = (one: HTMLElement) => distance(one.getBoundingClientRect(), box)
    const [nearest] = stops.sort((one, other) => away(one) - away(other))
    if (nearest) return nearest
  }
  return undefined
}

function canTake(one: HTMLElement): boolean {
  return one.tabIndex >= 0 && !one.matches(':disabled') && one.checkVisibility({ visibilityProperty: true })
}

function distance(one: DOMRect, other: DOMRect): number {
  const middle = ({ x, y, width, height }: DOMRect) => ({ x: x + width / 2, y: y + height / 2 })
  const [from, to] = [middle(one), middle(other)]
  return Math.hypot(from.x - to.x, from.y - to.y)
}
