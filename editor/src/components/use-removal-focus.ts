import { useLayoutEffect, useRef } from 'react'
import { hasFocus } from './overlay'

/** When the control with the focus was removed with its item of a list, moves the focus to the element of `find`. */
export function useRemovalFocus(count: number, find: () => HTMLElement | null | undefined): void {
  const before = useRef(count)
  // Before a dialog notices the loss, and takes the focus itself.
  useLayoutEffect(() => {
    if (count < before.current && !hasFocus()) find()?.focus()
    before.current = count
  })
}
