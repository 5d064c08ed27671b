import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

type ListBox = { place: RefObject<HTMLUListElement | null>; width: number; top: number }

/** The width of a virtualized list, and its offset on the page. */
export function useListBox(): ListBox {
  const place = useRef<HTMLUListElement>(null)
  const [box, setBox] = useState({ width: 1000, top: 0 })
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return
    const read = () => {
      const [width, top] = [element.clientWidth, element.getBoundingClientRect().top + window.scrollY]
      setBox((known) => (known.width === width && known.top === top ? known : { width, top }))
    }
    const watching = new ResizeObserver(read)
    watching.observe(element)
    watching.observe(document.body)
    read()
    return () => watching.disconnect()
  }, [])
  return { place, ...box }
}

const MAX_FRAMES = 20

/** Focuses an element of a virtualized list: it is rendered some frames after the list has scrolled to it. */
export function focusWhenRendered(list: HTMLElement, selector: string, frames = MAX_FRAMES): void {
  const element = list.querySelector<HTMLElement>(selector)
  if (element) element.focus({ preventScroll: true })
  else if (frames > 0) requestAnimationFrame(() => focusWhenRendered(list, selector, frames - 1))
}
