import { TableField } from '@/components/launch/table-field'
import type { FieldSchema } from '@/lib/launch/fields'
import type { ControlProps } from './types'

/** Rows under columns, cell by cell. */
export function TableControl({ field, value, onChange, onSettle, id }: ControlProps) {
  return (
    <fieldset id={id} aria-label={field.title} onBlur={onSettle}>
      <TableField
        field={{
          id: field.name,
          title: field.title,
          help: '',
          kind: 'table',
          valueType: 'Json',
          list: true,
          required: field.required,
          initial: value,
          schema: field.schema as FieldSchema,
        }}
        value={value}
        onChange={onChange}
      />
    </fieldset>
  )
}
