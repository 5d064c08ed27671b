import { SettingControl } from '@/components/setting/setting-control'
import type { Schema } from '@/graph/catalog'
import '@/lib/i18n/editor'
import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Field } from '@/lib/launch/fields'
import { Button } from '../button'

/** Props of a field with several controls; `Field` sets all but the first three. */
export type NestedFieldProps = {
  field: Field
  value: unknown
  onChange: (value: unknown) => void
  id?: string
  'aria-invalid'?: boolean
  'aria-describedby'?: string
}

/** A field with nested fields, a list of them, or a table; uses the controls of the inspector. */
export function NestedField({ field, value, onChange, ...controlProps }: NestedFieldProps) {
  const { id: name, title, required } = field
  return (
    <SettingControl
      {...controlProps}
      field={{ name, title, required, schema: schemaOf(field), advanced: false, main: false, group: null }}
      typeId={field.schema['x-node'] ?? ''}
      value={value ?? undefined}
      onChange={(next) => onChange(next ?? null)}
      onSettle={settled}
    />
  )
}

function settled() {
  // The launch form has no undo history.
}

/** The schema of an optional field accepts null, so that its value can be removed. */
function schemaOf(field: Field): Schema {
  const schema = field.kind === 'table' ? withColumns(field) : (field.schema as Schema)
  return field.required ? schema : { ...schema, default: null }
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

type Brand = { $type: 'Brand'; brand_name?: string; palette?: readonly string[] }

/** A custom brand for this launch; starts from the agent's own. */
export function BrandField(props: NestedFieldProps) {
  const { t } = useTranslation('launch')
  if (typeof props.value === 'object' && props.value !== null) return <NestedField {...props} />
  const { field, onChange, id } = props
  const start = ownBrand(field)
  return (
    <fieldset
      id={id}
      aria-label={field.title}
      aria-describedby={props['aria-describedby']}
      className="flex min-w-0 flex-wrap items-center gap-3"
    >
      {start.brand_name && <Swatches brand={start} />}
      <Button size="sm" onClick={() => onChange(start)}>
        <Plus aria-hidden />
        {t('brand.use')}
      </Button>
    </fieldset>
  )
}

/** The brand of the node: its brand value, else one built from its other settings. */
function ownBrand({ initial, schema }: Field): Brand {
  return { ...(initial ?? schema['x-settings'] ?? {}), $type: 'Brand' }
}

function Swatches({ brand }: { brand: Brand }) {
  const { t } = useTranslation('launch')
  return (
    <span className="flex items-center gap-2.5">
      <span aria-hidden className="flex overflow-hidden rounded-pill border border-hairline">
        {brand.palette?.map((color) => (
          <i key={color} className="size-4.5" style={{ background: color }} />
        ))}
      </span>
      {t('brand.own', { name: brand.brand_name })}
    </span>
  )
}
