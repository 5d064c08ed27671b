import { Input } from '@/components/input'
import { Slider } from '@/components/slider'
import { Switch } from '@/components/switch'
import { withoutNull } from '@/graph/ports'
import { isOptional, maximumOf, minimumOf, stepOf } from '@/graph/widgets'
import { access, type ControlProps, fieldAccess, type Reading, useDraft } from './control-props'

/** A number field: unfinished text is kept, the value changes once the text is a number. */
export function NumberControl(props: ControlProps) {
  const { field, value, onChange, onSettle, disabled } = props
  const schema = withoutNull(field.schema)
  const { text, type, restore } = useDraft(props.place, value, shown)
  return (
    <Input
      {...fieldAccess(props)}
      type="number"
      inputMode={schema.type === 'integer' ? 'numeric' : 'decimal'}
      value={text}
      min={minimumOf(schema)}
      max={maximumOf(schema)}
      step={schema.type === 'integer' ? 1 : 'any'}
      disabled={disabled}
      end={field.schema['x-ui']?.unit ?? undefined}
      placeholder={field.schema['x-ui']?.placeholder ?? undefined}
      onChange={(event) => {
        const reading = numberIn(event.target.value, isOptional(field.schema))
        type(event.target.value, reading)
        if (reading) onChange(reading.value)
      }}
      onBlur={() => {
        if (text === '') restore()
        onSettle()
      }}
    />
  )
}

export function SliderControl(props: ControlProps) {
  const { field, value, onChange, onSettle, disabled } = props
  const schema = withoutNull(field.schema)
  const [low, high] = [minimumOf(schema) ?? 0, maximumOf(schema) ?? 1]
  const unit = field.schema['x-ui']?.unit
  const number = typeof value === 'number' ? value : low
  const { text, type, restore } = useDraft(props.place, number, shown)
  return (
    <div className="flex items-center gap-2.5">
      <Slider
        {...access(props)}
        aria-label={props['aria-label'] ?? field.title}
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
            const reading = numberIn(event.target.value)
            type(event.target.value, reading)
            if (reading) onChange(reading.value)
          }}
          onBlur={() => {
            restore()
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

function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : ''
}

/** An empty field is valid only for an optional setting. */
function numberIn(text: string, optional = false): Reading<number | undefined> {
  if (text.trim() === '') return optional ? { value: undefined } : null
  const value = Number(text)
  return Number.isNaN(value) ? null : { value }
}
