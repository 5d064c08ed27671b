import { Plus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Field } from '@/lib/launch/fields'
import { Button } from '../button'
import { IconButton } from '../icon-button'
import { Input } from '../input'

type Row = Record<string, unknown>
type TableFieldProps = { field: Field; value: unknown; onChange: (value: unknown) => void }

function rowsOf(value: unknown): Row[] {
  if (!Array.isArray(value)) return []
  return value.filter((row): row is Row => typeof row === 'object' && row !== null && !Array.isArray(row))
}

/** The columns that the schema, the agent's own rows and the rows at hand name. */
function columnsOf(field: Field, rows: readonly Row[]): string[] {
  const known = [...rowsOf(field.initial), ...rows].flatMap((row) => Object.keys(row))
  const columns = [...new Set([...Object.keys(field.schema.items?.properties ?? {}), ...known])]
  return columns.length > 0 ? columns : ['value']
}

/** Rows of the agent's table, cell by cell. */
export function TableField({ field, value, onChange }: TableFieldProps) {
  const { t } = useTranslation('launch')
  const rows = rowsOf(value)
  const columns = columnsOf(field, rows)
  return (
    <div className="overflow-x-auto rounded-m border border-hairline">
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-hairline border-b text-left text-muted">
            {columns.map((column) => (
              <th key={column} scope="col" className="px-2.5 py-2 font-[550]">
                {column}
              </th>
            ))}
            <th className="w-9">
              <span className="sr-only">{t('form.remove')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place.
            <tr key={index}>
              {columns.map((column) => (
                <td key={column} className="p-1">
                  <Input
                    aria-label={t('form.cell', { column, row: index + 1 })}
                    className="h-8 min-w-24"
                    value={String(row[column] ?? '')}
                    onChange={(event) => onChange(rows.with(index, { ...row, [column]: event.target.value }))}
                  />
                </td>
              ))}
              <td>
                <IconButton
                  size="sm"
                  tooltip={false}
                  label={t('form.removeRow', { number: index + 1 })}
                  icon={<X />}
                  onClick={() => onChange(rows.toSpliced(index, 1))}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Button size="sm" variant="ghost" className="m-1.5" onClick={() => onChange([...rows, blank(columns)])}>
        <Plus aria-hidden />
        {t('form.addRow')}
      </Button>
    </div>
  )
}

function blank(columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, '']))
}
