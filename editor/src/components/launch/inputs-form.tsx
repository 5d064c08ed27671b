import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schema } from '@/graph/catalog'
import { widgetOf } from '@/graph/widgets'
import { classes } from '@/lib/classes'
import { formatCost } from '@/lib/format'
import type { StepCost } from '@/lib/launch/estimate'
import { type Field as FormField, optionsOf } from '@/lib/launch/fields'
import type { Inputs } from '@/lib/launch/inputs'
import { isMaskField } from '@/lib/launch/masked-image'
import { Field } from '../field'
import { TypeTile } from '../type-icon'
import { InputControl } from './input-control'
import { MediaField } from './media-field'
import { BrandField, NestedField, stepRange } from './nested-field'

type InputsFormProps = {
  fields: readonly FormField[]
  values: Inputs
  /** Error messages by field id. */
  errors: Record<string, string>
  onChange: (field: FormField, value: unknown) => void
  /** The image on which the mask of a field is painted, where the form knows it. */
  imageOf?: ((field: FormField) => string | null | undefined) | undefined
  /** What each node is expected to cost, where the form shows it. */
  costs?: readonly StepCost[] | undefined
}

const WIDE_KINDS = new Set(['long_text', 'brand', 'table', 'form', 'json', 'list', 'media'])

const MAX_NARROW_CHOICES = 5

/** Whether the control needs the whole width: long text, nested fields, many choices side by side. */
function isWide({ kind, schema }: FormField): boolean {
  const segments = schema['x-ui']?.widget === 'segmented' ? optionsOf(schema).length : 0
  return WIDE_KINDS.has(kind) || segments > MAX_NARROW_CHOICES
}

/** The input form of an agent, rendered from its schema. */
export function InputsForm({ fields, values, errors, onChange, imageOf, costs }: InputsFormProps) {
  const row = (field: FormField) => (
    <FormRow
      key={field.id}
      field={field}
      value={values[field.id]}
      error={errors[field.id]}
      imageId={imageOf?.(field)}
      onChange={(value) => onChange(field, value)}
    />
  )
  const inputs = fields.filter((field) => !field.exposed)
  return (
    <div className="@container">
      {inputs.length > 0 && (
        <div className="grid @md:grid-cols-2 gap-x-3.5 gap-y-4 not-last:pb-4">{inputs.map(row)}</div>
      )}
      {groupsOf(fields).map((group) => (
        <NodeRow key={group.node} group={group} costs={costs} row={row} />
      ))}
    </div>
  )
}

type NodeRowProps = {
  group: Group
  costs: readonly StepCost[] | undefined
  row: (field: FormField) => ReactNode
}

/** The settings of one node beside its name, with the model on the right and what it is expected to cost. */
function NodeRow({ group: { node, title, members }, costs, row }: NodeRowProps) {
  const { t } = useTranslation('launch')
  const cost = costs?.find((one) => one.node === node) ?? { usd: '0' }
  const models = members.filter(isModel)
  return (
    <fieldset className="@4xl:grid min-w-0 @4xl:grid-cols-[9.875rem_minmax(0,1fr)_17.75rem_4.625rem] @4xl:gap-x-5 border-hairline border-t py-3.5 first:border-0 first:pt-0 last:pb-0">
      <legend className="float-left mb-2.5 flex max-w-full items-center gap-2.5 @4xl:self-start @4xl:pt-7.5 @max-4xl:pr-20 font-semibold text-sm">
        <TypeTile type={members[0]?.exposed?.makes ?? 'Any'} className="size-7 rounded-[9px]" />
        <span className="wrap-anywhere min-w-0">{title}</span>
      </legend>
      {costs && (
        <output className="wrap-anywhere @4xl:order-last @4xl:col-start-4 @max-4xl:float-right @max-4xl:pt-1 @4xl:pt-8.5 text-right font-mono text-sm">
          <span className="sr-only">{t('costOf', { name: title })}: </span>
          {formatCost(cost)}
        </output>
      )}
      <div className="@4xl:clear-none clear-both flex flex-wrap items-start gap-3.5">
        {members.filter((field) => !isModel(field)).map(row)}
      </div>
      {models.length > 0 && <div className="@max-4xl:mt-3.5 flex flex-col gap-3.5">{models.map(row)}</div>}
    </fieldset>
  )
}

const isModel = ({ exposed }: FormField) => exposed?.setting === 'model'

type Group = { node: string; title: string; members: FormField[] }

/** The exposed settings by the node that they belong to, in the order of the form; nodes with one title are numbered. */
function groupsOf(fields: readonly FormField[]): Group[] {
  const groups = new Map<string, Group>()
  for (const field of fields) {
    if (!field.exposed) continue
    const { group: name } = field.exposed
    // The settings of an agent that the node runs stand together, whichever of its nodes they belong to.
    const node = field.id.slice(0, field.id.indexOf('.'))
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
  imageId: string | null | undefined
  onChange: (value: unknown) => void
}

/** File fields have a legend, since they may contain several controls; other fields have one labelled control. */
function FormRow({ field, value, error, imageId, onChange }: FormRowProps) {
  const className = classes(isWide(field) && '@md:col-span-2', field.exposed && widthOf(field))
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
      <Control field={field} value={value} onChange={onChange} {...(isMaskField(field) && { imageId })} />
    </Field>
  )
}

/** The width of an exposed setting among the others of its node. */
function widthOf(field: FormField): string {
  if (isModel(field)) return 'w-full'
  if (stepRange(field)) return 'max-w-full'
  if (isSegmented(field) && !isWide(field)) return 'max-w-full [&_[role=radio]]:flex-auto'
  if (isWide(field)) return 'basis-full'
  return field.kind === 'number' ? 'w-56 max-w-full' : 'w-44 max-w-full'
}

function isSegmented({ schema }: FormField): boolean {
  return widgetOf(schema as Schema) === 'segmented'
}

function controlOf({ kind, exposed }: FormField) {
  if (exposed) return NestedField
  if (kind === 'brand') return BrandField
  return kind === 'table' || kind === 'form' ? NestedField : InputControl
}
