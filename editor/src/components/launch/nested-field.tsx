import { SettingControl } from '@/components/setting/setting-control'
import type { Schema } from '@/graph/catalog'
import '@/lib/i18n/editor'
import type { Field } from '@/lib/launch/fields'

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
