import { useEffect, useRef } from 'react'

/** Keeps the keyboard in a list: on the row that was added, or the one before a row that went. */
export function useRowFocus(count: number) {
  const rows = useRef<HTMLFieldSetElement>(null)
  const wanted = useRef<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row is there once the number of rows has changed
  useEffect(() => {
    if (wanted.current === null) return
    const row = rows.current?.querySelectorAll('[data-row]')[wanted.current]
    wanted.current = null
    const first = row?.querySelector<HTMLElement>('input:not([type=color]), textarea, select, button')
    ;(first ?? rows.current?.querySelector('button'))?.focus()
  }, [count])
  return {
    rows,
    focusNext: (at: number) => {
      wanted.current = at
    },
  }
}
