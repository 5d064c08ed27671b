import { useEffect, useState } from 'react'
import { Input } from '@/components/input'
import { Slider } from '@/components/slider'
import { Switch } from '@/components/switch'
import { concrete } from '@/graph/ports'
import { least, most, stepOf } from '@/graph/widgets'
import { access, type ControlProps } from './types'

/** A number as it is typed: half-typed text stays, the value follows when it is one. */
export function NumberControl(props: ControlProps) {
  const { field, value, onChange, onSettle, disabled } = props
  const schema = concrete(field.schema)
  const [text, setText] = useTyped(value)
  return (
    <Input
      {...access(props)}
      type="number"
      inputMode={schema.type === 'integer' ? 'numeric' : 'decimal'}
      value={text}
      min={least(schema)}
      max={most(schema)}
      step={schema.type === 'integer' ? 1 : 'any'}
      disabled={disabled}
      end={field.schema['x-ui']?.unit ?? undefined}
      placeholder={field.schema['x-ui']?.placeholder ?? undefined}
      onChange={(event) => {
        setText(event.target.value)
        const number = toNumber(event.target.value)
        if (number !== null || event.target.value === '') onChange(number ?? undefined)
      }}
      onBlur={onSettle}
    />
  )
}

export function SliderControl(props: ControlProps) {
  const { field, value, onChange, onSettle, disabled } = props
  const schema = concrete(field.schema)
  const [low, high] = [least(schema) ?? 0, most(schema) ?? 1]
  const unit = field.schema['x-ui']?.unit
  const number = typeof value === 'number' ? value : low
  const [text, setText] = useTyped(number)
  return (
    <div className="flex items-center gap-2.5">
      <Slider
        {...access(props)}
        value={number}
        min={low}
        max={high}
        step={stepOf({ ...schema, 'x-ui': field.schema['x-ui'] ?? schema['x-ui'] })}
        disabled={disabled}
        onValueChange={onChange}
        onValueCommit={onSettle}
      />
      <label className="flex flex-none items-center gap-1.5">
        <input
          type="number"
          aria-label={field.title}
          value={text}
          min={low}
          max={high}
          step="any"
          disabled={disabled}
          onChange={(event) => {
            setText(event.target.value)
            const typed = toNumber(event.target.value)
            if (typed !== null) onChange(typed)
          }}
          onBlur={() => {
            setText(shown(number))
            onSettle()
          }}
          className="h-[34px] w-14 rounded-field border border-hairline-strong bg-surface text-center text-base [appearance:textfield] focus-visible:field-focus [&::-webkit-inner-spin-button]:appearance-none"
        />
        {unit && <span className="text-muted text-xs">{unit}</span>}
      </label>
    </div>
  )
}

export function SwitchControl(props: ControlProps) {
  const { value, onChange, onSettle, disabled } = props
  return (
    <Switch
      {...access(props)}
      checked={value === true}
      disabled={disabled}
      onCheckedChange={(checked) => {
        onChange(checked)
        onSettle()
      }}
    />
  )
}

/** The text of a number while it is typed: half of one stays as it is, another value takes its place. */
function useTyped(value: unknown) {
  const [text, setText] = useState(shown(value))
  useEffect(() => setText((typed) => (toNumber(typed) === value ? typed : shown(value))), [value])
  return [text, setText] as const
}

function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : ''
}

function toNumber(text: string): number | null {
  const number = Number(text)
  return text.trim() === '' || Number.isNaN(number) ? null : number
}
