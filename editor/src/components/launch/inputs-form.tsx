import { classes } from '@/lib/classes'
import { type Field as FormField, optionsOf } from '@/lib/launch/fields'
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

const MAX_NARROW_CHOICES = 5

/** Whether the control needs the whole width: long text, nested fields, many choices side by side. */
function isWide({ kind, schema }: FormField): boolean {
  const segments = schema['x-ui']?.widget === 'segmented' ? optionsOf(schema).length : 0
  return WIDE_KINDS.has(kind) || segments > MAX_NARROW_CHOICES
}

/** The input form of an agent, rendered from its schema. */
export function InputsForm({ fields, values, errors, onChange }: InputsFormProps) {
  const row = (field: FormField) => (
    <FormRow
      key={field.id}
      field={field}
      value={values[field.id]}
      error={errors[field.id]}
      onChange={(value) => onChange(field, value)}
    />
  )
  const inputs = fields.filter((field) => !field.exposed)
  return (
    <div className="grid gap-x-3.5 gap-y-4 sm:grid-cols-2">
      {inputs.map(row)}
      {groupsOf(fields).map(({ node, title, members }) => (
        <fieldset
          key={node}
          className="min-w-0 border-hairline border-t pt-3.5 sm:col-span-2 [:first-child]:border-0 [:first-child]:pt-0"
        >
          <legend className="float-left mb-2.5 w-full font-semibold text-sm">{title}</legend>
          <div className="clear-both grid gap-x-3.5 gap-y-4 sm:grid-cols-2">{members.map(row)}</div>
        </fieldset>
      ))}
    </div>
  )
}

type Group = { node: string; title: string; members: FormField[] }

/** The exposed settings by the node that they belong to, in the order of the form; nodes with one title are numbered. */
function groupsOf(fields: readonly FormField[]): Group[] {
  const groups = new Map<string, Group>()
  for (const field of fields) {
    if (!field.exposed) continue
    const { group: name, setting } = field.exposed
    const node = field.id.slice(0, -setting.length - 1)
    const known = groups.get(node)
    if (known) {
      known.members.push(field)
      continue
    }
    const same = [...groups.values()].filter(({ members }) => members[0]?.exposed?.group === name).length
    groups.set(node, { node, title: same > 0 ? `${name} ${same + 1}` : name, members: [field] })
  }
  return [...groups.values()]
}

type FormRowProps = {
  field: FormField
  value: unknown
  error: string | undefined
  onChange: (value: unknown) => void
}

/** File fields have a legend, since they may contain several controls; other fields have one labelled control. */
function FormRow({ field, value, error, onChange }: FormRowProps) {
  const className = classes(isWide(field) && 'sm:col-span-2')
  if (field.kind === 'media' && !field.exposed) {
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

function controlOf({ kind, exposed }: FormField) {
  if (exposed) return NestedField
  if (kind === 'brand') return BrandField
  return kind === 'table' || kind === 'form' ? NestedField : InputControl
}
