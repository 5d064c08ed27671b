import { useTranslation } from 'react-i18next'
import { Field } from '@/components/field'
import { Select } from '@/components/select'
import type { Schema } from '@/graph/catalog'
import { withoutNull } from '@/graph/ports'
import { hasTypeOf, ownValueError } from '@/graph/validate'
import { choicesOf, minimumOf } from '@/graph/widgets'
import { type ControlProps, NestedControl } from './control-props'
import { useValueErrorText } from './value-error-text'

type ValueType = 'text' | 'number' | 'boolean' | 'structure'

const SCHEMAS: Record<ValueType, Schema> = {
  text: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  structure: { 'x-ui': { widget: 'json' } },
}
const VALUE_TYPES = Object.keys(SCHEMAS) as ValueType[]

type ValueProps = ControlProps & {
  name: string
  /** The schema of the value, if the server knows it. */
  schema: Schema | undefined
}

/** The control of a value: the one of its schema, else one of a type that the user chooses. */
export function NamedValue({ schema, ...props }: ValueProps) {
  return schema && hasTypeOf(schema, props.value) ? (
    <TypedValue {...props} schema={schema} />
  ) : (
    <UntypedValue {...props} schema={schema} />
  )
}

function TypedValue({
  name,
  schema,
  value,
  onChange,
  onSettle,
  disabled,
  place,
}: ValueProps & { schema: Schema }) {
  const { t } = useTranslation('inspector')
  const errorText = useValueErrorText()
  const title = t('structure.valueOf', { name: schema.title ?? name })
  return (
    <Field label={title} help={schema.description} error={errorText(ownValueError(schema, value))} hideLabel>
      <NestedControl
        field={{
          ...{ name, title, schema, required: true },
          ...{ advanced: false, main: false, group: null },
        }}
        typeId=""
        value={value}
        disabled={disabled}
        place={place}
        onChange={(next) => onChange(next === undefined ? firstValue(schema) : next)}
        onSettle={onSettle}
      />
    </Field>
  )
}

/** A control with a choice of the value's type. */
function UntypedValue({ name, schema, value, onChange, onSettle, disabled, place }: ValueProps) {
  const { t } = useTranslation('inspector')
  const errorText = useValueErrorText()
  const error = schema && errorText(ownValueError(schema, value))
  const type = valueTypeOf(value)
  const title = t('structure.valueOf', { name })
  return (
    <div className="grid grid-cols-2 items-start gap-1.5">
      <Select
        aria-label={t('structure.type')}
        value={type}
        disabled={disabled}
        choices={VALUE_TYPES.map((one) => ({ value: one, label: t(`structure.valueTypes.${one}`) }))}
        onValueChange={(next) => {
          onChange(converted(value, next))
          onSettle()
        }}
      />
      <div className="flex min-h-10 min-w-0 flex-col justify-center">
        <NestedControl
          // The draft of one type is no text of another.
          key={type}
          field={{
            ...{ name, title, schema: SCHEMAS[type], required: true },
            ...{ advanced: false, main: false, group: null },
          }}
          aria-label={title}
          typeId=""
          value={value}
          disabled={disabled}
          place={place}
          onChange={(next) => next !== undefined && onChange(next)}
          onSettle={onSettle}
        />
      </div>
      {error && (
        <p role="alert" className="col-span-2 text-[12.5px] text-madder-text">
          {error}
        </p>
      )}
    </div>
  )
}

/** A new row is an empty text until its name is known. */
export function renamedValue(schema: Schema | null | undefined, value: unknown): unknown {
  return schema && value === '' ? firstValue(schema) : value
}

/** The value of a new row once its name has a known schema: the default, else the first value of its type. */
function firstValue(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default
  const plain = withoutNull(schema)
  const [first] = choicesOf(plain)
  if (first !== undefined) return first
  switch (plain.type) {
    case 'number':
    case 'integer':
      return minimumOf(plain) ?? 0
    case 'boolean':
      return false
    case 'array':
      return []
    case 'object':
      return {}
    default:
      return ''
  }
}

function valueTypeOf(value: unknown): ValueType {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'number'
  return typeof value === 'boolean' ? 'boolean' : 'structure'
}

/** The value as another type, as far as it has one. */
function converted(value: unknown, type: ValueType): unknown {
  if (type === valueTypeOf(value)) return value
  if (type === 'number') return Number.isFinite(Number(value)) ? Number(value) : 0
  if (type === 'boolean') return value === 'true' || (typeof value === 'number' && value !== 0)
  if (type === 'structure') return typeof value === 'string' && value !== '' ? [value] : []
  return typeof value === 'object' ? '' : String(value)
}
