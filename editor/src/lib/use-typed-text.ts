import { useEffect, useRef, useState } from 'react'

const TYPING_PAUSE_MS = 200

/** A text that is typed at once and committed when typing pauses; follows `value` when that changes elsewhere. */
export function useTypedText(value: string, onCommit: (text: string) => void) {
  const [text, setText] = useState(value)
  const pause = useRef<number>(undefined)
  // The latest one: another filter may change while typing pauses.
  const commit = useRef(onCommit)
  commit.current = onCommit
  useEffect(() => {
    if (pause.current === undefined) setText((typed) => (typed.trim() === value ? typed : value))
  }, [value])
  useEffect(() => () => window.clearTimeout(pause.current), [])
  function change(next: string) {
    setText(next)
    window.clearTimeout(pause.current)
    pause.current = window.setTimeout(() => {
      pause.current = undefined
      commit.current(next.trim())
    }, TYPING_PAUSE_MS)
  }
  return [text, change] as const
}
