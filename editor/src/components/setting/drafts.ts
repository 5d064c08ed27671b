import { useEffect, useState } from 'react'

/** Text that is not a value yet, kept while another node is looked at; it goes when the value changes. */
const drafts = new Map<string, { readonly text: string; readonly beside: string }>()

/** What is typed for a value: `read` makes it one, or tells that it is none. */
export type Reading<T> = { readonly value: T } | null

/**
 * The text of a value while it is typed. What can be read becomes the value at once; what cannot stays as text.
 * A value that comes from elsewhere (an undo, another control) takes the text's place.
 */
export function useDraft(place: string | undefined, value: unknown, written: (value: unknown) => string) {
  const now = JSON.stringify(value) ?? ''
  const [text, setText] = useState(() => kept(place, now) ?? written(value))
  const [beside, setBeside] = useState(now)
  const [typed, setTyped] = useState<string | null>(null)
  useEffect(() => {
    if (beside === now) return
    setBeside(now)
    setTyped(null)
    if (typed === now) return
    forget(place)
    setText(written(value))
  }, [beside, now, place, typed, value, written])
  /** `next` is what the text means: null where it means nothing yet. */
  const type = (next: string, reading: Reading<unknown>) => {
    setText(next)
    if (reading) {
      setTyped(JSON.stringify(reading.value) ?? '')
      forget(place)
    } else if (place) drafts.set(place, { text: next, beside: now })
  }
  const restore = () => {
    forget(place)
    setText(written(value))
  }
  return { text, type, restore }
}

function kept(place: string | undefined, beside: string): string | undefined {
  const draft = place === undefined ? undefined : drafts.get(place)
  return draft?.beside === beside ? draft.text : undefined
}

function forget(place: string | undefined): void {
  if (place !== undefined) drafts.delete(place)
}
