import { useRef } from 'react'
import { Input } from '@/components/input'
import type { Schema } from '@/graph/catalog'
import { numberOr } from './types'

type TableCellProps = {
  label: string
  value: unknown
  /** What the schema says of the column, if it does. */
  type: Schema['type']
  disabled: boolean | undefined
  onChange: (value: unknown) => void
  /** Given for text of several cells. */
  onPaste: (text: string) => void
}

/** A cell: words as they are typed; what was a number when it was entered stays one. */
export function TableCell({ label, value, type, disabled, onChange, onPaste }: TableCellProps) {
  const was = useRef<string>(typeof value)
  const numeric = () => type === 'number' || type === 'integer' || (!type && was.current === 'number')
  return (
    <Input
      aria-label={label}
      className="h-8 min-w-24 px-2"
      value={shown(value)}
      disabled={disabled}
      onFocus={() => {
        was.current = typeof value
      }}
      onChange={(event) => onChange(numeric() ? numberOr(event.target.value) : event.target.value)}
      onPaste={(event) => {
        const text = event.clipboardData.getData('text/plain')
        if (!/[\t\n]/.test(text.trimEnd())) return
        event.preventDefault()
        onPaste(text)
      }}
    />
  )
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
