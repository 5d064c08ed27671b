import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { humanize } from '@/lib/humanize'
import { type Field, optionsOf, typeOf } from '@/lib/launch/fields'
import { Combobox } from '../combobox'
import { Input, Textarea } from '../input'
import { Segmented } from '../segmented'
import { Select } from '../select'
import { Slider } from '../slider'
import { Switch } from '../switch'

/** Attributes that `Field` passes to its control: id, aria-invalid, aria-describedby, aria-required. */
type SharedProps = { id?: string; 'aria-invalid'?: boolean; 'aria-describedby'?: string }

type InputControlProps = SharedProps & {
  field: Field
  value: unknown
  onChange: (value: unknown) => void
}

const MAX_SEGMENTS = 4
const MAX_SELECT_CHOICES = 12

/** The control of a field without nested fields. */
export function InputControl({ field, value, onChange, ...controlProps }: InputControlProps) {
  const rest = { field, value, onChange, controlProps }
  switch (field.kind) {
    case 'number':
      return <NumberControl {...rest} />
    case 'switch':
      return <Switch checked={value === true} onCheckedChange={onChange} {...controlProps} />
    case 'choice':
      return <ChoiceControl {...rest} />
    case 'colour':
      return <ColorControl {...rest} />
    case 'list':
      return <LinesControl {...rest} />
    case 'json':
      return <JsonControl {...rest} />
    case 'long_text':
      return <TextControl {...rest} long />
    default:
      return <TextControl {...rest} />
  }
}

type ControlProps = Omit<InputControlProps, keyof SharedProps> & { controlProps: SharedProps }

const asText = (value: unknown) => (value === null || value === undefined ? '' : String(value))

function TextControl({ field, value, onChange, controlProps, long }: ControlProps & { long?: boolean }) {
  const shared = {
    ...controlProps,
    value: asText(value),
    maxLength: field.schema.maxLength,
    placeholder: asText(field.initial) || (field.schema['x-ui']?.placeholder ?? undefined),
  }
  return long ? (
    <Textarea
      {...shared}
      rows={4}
      className="min-h-22 resize-none"
      onChange={(event) => onChange(event.target.value)}
    />
  ) : (
    <Input {...shared} onChange={(event) => onChange(event.target.value)} />
  )
}

function NumberControl({ field, value, onChange, controlProps }: ControlProps) {
  const { minimum, maximum } = field.schema
  const ui = field.schema['x-ui']
  const whole = typeOf(field.schema) === 'integer'
  const step = ui?.step ?? field.schema.multipleOf ?? (whole ? 1 : undefined)
  if (
    minimum !== undefined &&
    maximum !== undefined &&
    (ui?.widget === 'slider' || maximum - minimum <= 20)
  ) {
    const shown = typeof value === 'number' ? value : minimum
    return (
      <div className="flex h-10 items-center gap-3">
        <Slider
          {...controlProps}
          min={minimum}
          max={maximum}
          step={step ?? 0.01}
          value={shown}
          onValueChange={onChange}
        />
        <output className="min-w-10 text-right font-mono text-xs">{`${shown}${ui?.unit ? ` ${ui.unit}` : ''}`}</output>
      </div>
    )
  }
  return (
    <Input
      {...controlProps}
      type="number"
      inputMode={whole ? 'numeric' : 'decimal'}
      min={minimum}
      max={maximum}
      step={step ?? 'any'}
      end={ui?.unit}
      value={asText(value)}
      onChange={(event) => onChange(event.target.value === '' ? null : event.target.valueAsNumber)}
    />
  )
}

function ChoiceControl({ field, value, onChange, controlProps }: ControlProps) {
  const { t } = useTranslation('launch')
  const offered = optionsOf(field.schema)
  const choices = offered.map((option) => ({ value: option, label: humanize(option) }))
  const typed = (picked: string) =>
    onChange(field.schema.enum?.find((option) => String(option) === picked) ?? picked)
  const shared = { ...controlProps, value: asText(value), onValueChange: typed, choices }
  const short = offered.length <= MAX_SEGMENTS && offered.join('').length <= 28
  if (short && offered.length > 1) return <Segmented {...shared} />
  if (offered.length <= MAX_SELECT_CHOICES) return <Select {...shared} placeholder={t('form.choose')} />
  return <Combobox {...shared} placeholder={t('form.choose')} />
}

const HEX = /^#[0-9a-f]{6}$/i

function ColorControl({ field, value, onChange, controlProps }: ControlProps) {
  const text = asText(value)
  return (
    <div className="flex items-center gap-2">
      <input
        type="color"
        aria-label={field.title}
        value={HEX.test(text) ? text : '#000000'}
        onChange={(event) => onChange(event.target.value)}
        className="size-10 flex-none cursor-pointer rounded-field border border-hairline-strong bg-surface p-1"
      />
      <Input
        {...controlProps}
        value={text}
        placeholder="#DE4F2A"
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}

function LinesControl({ field, value, onChange, controlProps }: ControlProps) {
  const { t } = useTranslation('launch')
  const [text, setText] = useState(() => (Array.isArray(value) ? value.map(String).join('\n') : ''))
  return (
    <Textarea
      {...controlProps}
      rows={3}
      value={text}
      placeholder={field.schema['x-ui']?.placeholder ?? t('form.onePerLine')}
      onChange={(event) => {
        setText(event.target.value)
        onChange(
          event.target.value
            .split('\n')
            .map((line) => line.trim())
            .filter(Boolean),
        )
      }}
    />
  )
}

function JsonControl({ value, onChange, controlProps }: ControlProps) {
  const { t } = useTranslation('launch')
  const [text, setText] = useState(() =>
    value === null || value === undefined ? '' : JSON.stringify(value, null, 2),
  )
  const [bad, setBad] = useState(false)
  return (
    <div>
      <Textarea
        {...controlProps}
        rows={5}
        spellCheck={false}
        className="font-mono text-xs"
        aria-invalid={bad || controlProps['aria-invalid']}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          try {
            onChange(event.target.value.trim() === '' ? null : JSON.parse(event.target.value))
            setBad(false)
          } catch {
            setBad(true)
          }
        }}
      />
      {bad && (
        <p role="alert" className="mt-1.5 text-[12.5px] text-madder-text">
          {t('form.invalidJson')}
        </p>
      )}
    </div>
  )
}
