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
