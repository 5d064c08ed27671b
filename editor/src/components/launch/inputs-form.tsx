import { classes } from '@/lib/classes'
import type { Field as FormField } from '@/lib/launch/fields'
import type { Inputs } from '@/lib/launch/inputs'
import { Field } from '../field'
import { InputControl } from './input-control'
import { MediaField } from './media-field'
import { BrandField, NestedField } from './nested-field'

type InputsFormProps = {
  fields: readonly FormField[]
  values: Inputs
  /** Error messages by field id. */
  errors: Record<string, string>
  onChange: (field: FormField, value: unknown) => void
}

const WIDE_KINDS = new Set(['long_text', 'brand', 'table', 'form', 'json', 'list', 'media'])

/** The input form of an agent, rendered from its schema. */
export function InputsForm({ fields, values, errors, onChange }: InputsFormProps) {
  return (
    <div className="grid gap-x-3.5 gap-y-4 sm:grid-cols-2">
      {fields.map((field) => (
        <FormRow
          key={field.id}
          field={field}
          value={values[field.id]}
          error={errors[field.id]}
          onChange={(value) => onChange(field, value)}
        />
      ))}
    </div>
  )
}

type FormRowProps = {
  field: FormField
  value: unknown
  error: string | undefined
  onChange: (value: unknown) => void
}

/** File fields have a legend, since they may contain several controls; other fields have one labelled control. */
function FormRow({ field, value, error, onChange }: FormRowProps) {
  const className = classes(WIDE_KINDS.has(field.kind) && 'sm:col-span-2')
  if (field.kind === 'media') {
    return (
      <fieldset className={classes('min-w-0', className)}>
        <legend className="mb-1.5 font-[550] text-sm">{field.title}</legend>
        <MediaField field={field} value={value} onChange={onChange} />
        {field.help && <p className="mt-1.5 text-muted text-xs">{field.help}</p>}
        {error && (
          <p role="alert" className="mt-1.5 text-[12.5px] text-madder-text">
            {error}
          </p>
        )}
      </fieldset>
    )
  }
  const Control = controlOf(field)
  return (
    <Field
      label={field.title}
      // The help about the agent's own brand is meant for its author.
      help={(field.kind !== 'brand' && field.help) || undefined}
      error={error}
      required={field.required}
      className={className}
    >
      <Control field={field} value={value} onChange={onChange} />
    </Field>
  )
}

function controlOf({ kind }: FormField) {
  if (kind === 'brand') return BrandField
  return kind === 'table' || kind === 'form' ? NestedField : InputControl
}
