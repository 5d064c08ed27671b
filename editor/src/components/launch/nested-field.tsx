import { SettingControl } from '@/components/setting/setting-control'
import type { Schema } from '@/graph/catalog'
import '@/lib/i18n/editor'
import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Field } from '@/lib/launch/fields'
import { Button } from '../button'

/** What a field of several controls is drawn with; `Field` lends it all but the first three. */
export type NestedFieldProps = {
  field: Field
  value: unknown
  onChange: (value: unknown) => void
  id?: string
  'aria-invalid'?: boolean
  'aria-describedby'?: string
}

/** A field with fields of its own, a list of them or a table, as whoever builds the agent edits it. */
export function NestedField({ field, value, onChange, ...lent }: NestedFieldProps) {
  const { id: name, title, required } = field
  return (
    <SettingControl
      {...lent}
      field={{ name, title, required, schema: schemaOf(field), advanced: false, main: false, group: null }}
      typeId={field.schema['x-node'] ?? ''}
      value={value ?? undefined}
      onChange={(next) => onChange(next ?? null)}
      onSettle={settled}
    />
  )
}

function settled() {
  // Nothing is undone by strokes here.
}

/** What may be left to the agent can be taken away again, whatever its own value is. */
function schemaOf(field: Field): Schema {
  const schema = field.kind === 'table' ? withColumns(field) : (field.schema as Schema)
  return field.required ? schema : { ...schema, default: null }
}

/** The steps of an agent read the columns of its own rows by name: a launch fills them in and leaves them be. */
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

/** A brand for this launch in place of the agent's own: what is changed is changed from there. */
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

/** The brand that the node has as a whole, else what its other settings say of one. */
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
