import { useTranslation } from 'react-i18next'
import { SettingControl } from '@/components/setting/setting-control'
import type { Schema } from '@/graph/catalog'
import '@/lib/i18n/editor'
import { isBrandValue } from '@/lib/launch/brands'
import { type Field, typeOf } from '@/lib/launch/fields'
import { Stepper } from '../stepper'
import { BrandMenu } from './brand-menu'
import { useConnectDialog } from './use-connect-dialog'

/** Props of a field with several controls; `Field` sets all but the first three. */
export type NestedFieldProps = {
  field: Field
  value: unknown
  onChange: (value: unknown) => void
  /** The image of the launch on which the mask is painted. */
  imageId?: string | null | undefined
  id?: string
  'aria-invalid'?: boolean
  'aria-describedby'?: string
}

/** A field with nested fields, a list of them, a table or an exposed setting; uses the controls of the inspector. */
export function NestedField({ field, value, onChange, imageId, ...controlProps }: NestedFieldProps) {
  const { t } = useTranslation('launch')
  const { title, required } = field
  const { connect, dialog } = useConnectDialog()
  const range = stepRange(field)
  if (range && typeof value === 'number')
    return <Stepper {...controlProps} {...range} value={value} onValueChange={onChange} />
  // The server lists the choices of an exposed setting by its own name.
  const name = field.exposed?.setting ?? field.id
  return (
    <>
      <SettingControl
        {...controlProps}
        imageId={imageId}
        imageHelp={t('form.maskNeedsImage')}
        field={{ name, title, required, schema: schemaOf(field), advanced: false, main: false, group: null }}
        typeId={field.schema['x-node'] ?? ''}
        value={value ?? undefined}
        onChange={(next) => onChange(next ?? null)}
        onSettle={settled}
        onConnect={connect}
      />
      {dialog}
    </>
  )
}

const MAX_STEPS = 12

/** The limits of a small whole number, which buttons change by one; null for other fields. */
export function stepRange({ kind, exposed, initial, schema }: Field): { min: number; max: number } | null {
  const { minimum: min, maximum: max } = schema
  if (kind !== 'number' || !exposed || typeof initial !== 'number' || typeOf(schema) !== 'integer')
    return null
  return min !== undefined && max !== undefined && max - min <= MAX_STEPS ? { min, max } : null
}

function settled() {
  // The launch form has no undo history.
}

/** The schema of an optional field accepts null, so that its value can be removed. */
function schemaOf(field: Field): Schema {
  const schema = field.kind === 'table' ? withColumns(field) : (field.schema as Schema)
  // The form of data is shown from the start: an agent that asks for fields needs them.
  const isData = field.schema['x-node'] === 'data'
  return field.required || field.exposed || isData ? schema : { ...schema, default: null }
}

/** Fixes the columns of a table to those of the agent's own rows: its steps read them by name. */
function withColumns({ schema, initial }: Field): Schema {
  const known = schema as Schema
  if (known.items?.properties || !Array.isArray(initial)) return known
  const cells = initial.flatMap((row) => Object.entries(row ?? {}))
  if (cells.length === 0) return known
  const properties = Object.fromEntries(
    cells.map(([column, cell]) => [column, typeof cell === 'number' ? { type: 'number' } : {}]),
  )
  return { ...known, items: { ...known.items, properties } }
}

/** The brand of this launch: a saved one, none, or the agent's own. */
export function BrandField({ field, value, onChange, id, ...rest }: NestedFieldProps) {
  return (
    <BrandMenu
      field={field}
      value={isBrandValue(value) ? value : null}
      onChoose={onChange}
      id={id}
      aria-describedby={rest['aria-describedby']}
      className="self-start"
    />
  )
}
