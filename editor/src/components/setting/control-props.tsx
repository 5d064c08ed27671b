import { createContext, type FunctionComponent, useContext, useEffect, useRef, useState } from 'react'
import type { SettingField } from '@/graph/setting-fields'

/** What every control of a setting is given. */
export type ControlProps = {
  field: SettingField
  /** The node type that the setting belongs to: the server knows the options by it. */
  typeId: string
  value: unknown
  onChange: (value: unknown) => void
  /** The person is done with this stroke: what follows is another step of undo. */
  onSettle: () => void
  disabled?: boolean
  /** Small, for the card on the canvas. */
  compact?: boolean
  /** Words in double braces become inputs. */
  variables?: boolean
  /** Where the value stands, among all of them: what is half typed there is found again. */
  place?: string
  /** How many forms this one stands in. */
  depth?: number
  id?: string
  'aria-label'?: string
  'aria-invalid'?: boolean
  'aria-describedby'?: string
}

/** The part that belongs on the control itself, for labels and assistive technology. */
export function access(props: ControlProps) {
  return {
    id: props.id,
    'aria-label': props['aria-label'],
    'aria-invalid': props['aria-invalid'],
    'aria-describedby': props['aria-describedby'],
  }
}

/** The same for a control of several parts, which is named as a group. */
export function groupAccess(props: ControlProps) {
  return { id: props.id, 'aria-label': props.field.title, 'aria-describedby': props['aria-describedby'] }
}

/** The number, once the text is how that number is written. */
export function numberOr(text: string): number | string {
  const plain = text.trim()
  return plain !== '' && String(Number(plain)) === plain ? Number(plain) : text
}

/** Text that is not a value yet, kept while another node is looked at; it goes when the value changes. */
const drafts = new Map<string, { readonly text: string; readonly baseValue: string }>()

/** What is typed for a value: `read` makes it one, or tells that it is none. */
export type Reading<T> = { readonly value: T } | null

/**
 * The text of a value while it is typed. What can be read becomes the value at once; what cannot stays as text.
 * A value that comes from elsewhere (an undo, another control) takes the text's place.
 */
export function useDraft(place: string | undefined, value: unknown, format: (value: unknown) => string) {
  const now = JSON.stringify(value) ?? ''
  const [text, setText] = useState(() => draftText(place, now) ?? format(value))
  const [beside, setBaseValue] = useState(now)
  const [typed, setTyped] = useState<string | null>(null)
  useEffect(() => {
    if (beside === now) return
    setBaseValue(now)
    setTyped(null)
    if (typed === now) return
    discardDraft(place)
    setText(format(value))
  }, [beside, now, place, typed, value, format])
  /** `next` is what the text means: null where it means nothing yet. */
  const type = (next: string, reading: Reading<unknown>) => {
    setText(next)
    if (reading) {
      setTyped(JSON.stringify(reading.value) ?? '')
      discardDraft(place)
    } else if (place) drafts.set(place, { text: next, baseValue: now })
  }
  const restore = () => {
    discardDraft(place)
    setText(format(value))
  }
  return { text, type, restore }
}

function draftText(place: string | undefined, beside: string): string | undefined {
  const draft = place === undefined ? undefined : drafts.get(place)
  return draft?.baseValue === beside ? draft.text : undefined
}

function discardDraft(place: string | undefined): void {
  if (place !== undefined) drafts.delete(place)
}

/** Keeps the keyboard in a list: on the row that was added, or the one before a row that went. */
export function useRowFocus(count: number) {
  const rows = useRef<HTMLFieldSetElement>(null)
  const nextFocus = useRef<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row is there once the number of rows has changed
  useEffect(() => {
    if (nextFocus.current === null) return
    const row = rows.current?.querySelectorAll('[data-row]')[nextFocus.current]
    nextFocus.current = null
    const first = row?.querySelector<HTMLElement>('input:not([type=color]), textarea, select, button')
    ;(first ?? rows.current?.querySelector('button'))?.focus()
  }, [count])
  return {
    rows,
    focusNext: (at: number) => {
      nextFocus.current = at
    },
  }
}

/** The control for any setting, lent by it to the forms that stand inside one. */
export const AnyControl = createContext<FunctionComponent<ControlProps> | null>(null)

/** Edits what lies inside another setting: a field of an object, an item of a list. */
export function NestedControl(props: ControlProps) {
  const Control = useContext(AnyControl)
  return Control && <Control {...props} />
}
