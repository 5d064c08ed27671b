import { createContext, type FunctionComponent, useContext, useEffect, useRef, useState } from 'react'
import type { SettingField } from '@/graph/setting-fields'

/** Who provides choices, and how to get access to it. */
export type ChoiceSource = { id: string; title: string; message: string }

/** Props of every setting control. */
export type ControlProps = {
  field: SettingField
  /** The node type of the setting, by which the server finds its choices. */
  typeId: string
  value: unknown
  onChange: (value: unknown) => void
  /** The gesture is over: the next change is a new undo step. */
  onSettle: () => void
  disabled?: boolean
  /** Compact, for the card on the canvas. */
  compact?: boolean
  /** Whether words in double braces become inputs. */
  variables?: boolean
  /** A unique path of the value, under which unfinished text is kept. */
  place?: string
  /** The other settings of the node: the model decides which settings of its own there are. */
  siblings?: Readonly<Record<string, unknown>>
  /** The asset id of the image that the node is given, on which its mask is painted. */
  imageId?: string | null | undefined
  /** What to do while there is no such image; without it, what to do on the canvas. */
  imageHelp?: string
  /** How many forms contain this one. */
  depth?: number
  /** Connects a provider that has no key before one of its choices is chosen; without it, such a choice is chosen. */
  onConnect?: (source: ChoiceSource, choose: () => void) => void
  id?: string
  'aria-label'?: string
  'aria-invalid'?: boolean
  'aria-describedby'?: string
  'aria-required'?: boolean
}

/** ARIA attributes of the control itself. */
export function access(props: ControlProps) {
  return {
    id: props.id,
    'aria-label': props['aria-label'],
    'aria-invalid': props['aria-invalid'],
    'aria-describedby': props['aria-describedby'],
  }
}

/** The same for fields of text and numbers; sliders and buttons cannot be required. */
export function fieldAccess(props: ControlProps) {
  return { ...access(props), 'aria-required': props['aria-required'] }
}

/** ARIA attributes of a control with several parts, which is labelled as a group. */
export function groupAccess(props: ControlProps) {
  return { id: props.id, 'aria-label': props.field.title, 'aria-describedby': props['aria-describedby'] }
}

/** The number, if the text is exactly its canonical form; else the text. */
export function numberOr(text: string): number | string {
  const plain = text.trim()
  return plain !== '' && String(Number(plain)) === plain ? Number(plain) : text
}

/** Unfinished text, kept while another node is selected; discarded when the value changes. */
const drafts = new Map<string, { readonly text: string; readonly baseValue: string }>()

/** The parsed value of a typed text; null if it is invalid. */
export type Reading<T> = { readonly value: T } | null

/**
 * The text of a value while it is edited. Valid text becomes the value at once; invalid text is kept as text.
 * When the value changes elsewhere (undo, another control), the text is replaced.
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
  /** `next` is the parsed value; null while the text is invalid. */
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

/** Moves the focus in a list to an added row, or to the one before a removed row. */
export function useRowFocus(count: number) {
  const rows = useRef<HTMLFieldSetElement>(null)
  const nextFocus = useRef<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row is there once the number of rows has changed
  useEffect(() => {
    if (nextFocus.current === null) return
    const row = rows.current?.querySelectorAll(':scope > [data-row]')[nextFocus.current]
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

/** The control of any setting, passed by context to nested forms to avoid an import cycle. */
export const AnyControl = createContext<FunctionComponent<ControlProps> | null>(null)

/** Edits a nested value: a field of an object, an item of a list. */
export function NestedControl(props: ControlProps) {
  const Control = useContext(AnyControl)
  return Control && <Control {...props} />
}
