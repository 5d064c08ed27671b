import { Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { IconButton } from '@/components/icon-button'
import { Input } from '@/components/input'
import type { Schema } from '@/graph/catalog'
import { withoutNull } from '@/graph/ports'
import { summarizeData } from '@/lib/data-layout'
import { type ControlProps, groupAccess, numberOr } from './control-props'
import { columnsOf, paste, type Row, removeColumn, renameColumn, rowsOf } from './table-edits'

/** A table with named columns; cells can be pasted from a spreadsheet. */
export function TableControl(props: ControlProps) {
  const { field, value, onChange, onSettle, disabled } = props
  const { t } = useTranslation('inspector')
  const rows = rowsOf(value)
  const known = Object.keys(withoutNull(field.schema).items?.properties ?? {})
  const columns = columnsOf(known, rows)
  const put = (next: readonly Row[]) => {
    onChange(next)
    onSettle()
  }
  const addRow = () => put([...rows, blank(columns.length > 0 ? columns : [t('table.defaultColumn')])])
  const fresh = t('table.numberedColumn', { number: columns.length + 1 })
  if (props.compact) {
    return (
      <p className="text-muted">{t('table.rows', { count: rows.length, columns: columns.join(', ') })}</p>
    )
  }
  if (rows.length === 0) {
    return (
      <fieldset {...groupAccess(props)}>
        <Button size="sm" disabled={disabled} onClick={addRow}>
          <Plus aria-hidden />
          {t('table.addFirstRow')}
        </Button>
      </fieldset>
    )
  }
  return (
    <fieldset {...groupAccess(props)} onBlur={onSettle} className="min-w-0">
      <div className="scrollbar-quiet overflow-x-auto rounded-m border border-hairline">
        <table className="w-full border-collapse text-sm">
          <thead>
            <tr className="border-hairline border-b bg-sunken/60 text-left">
              {columns.map((column, at) => (
                <th key={column} scope="col" className="p-1">
                  <ColumnName
                    name={column}
                    number={at + 1}
                    taken={columns}
                    fixed={disabled || known.includes(column)}
                    onRename={(next) => put(renameColumn(rows, column, next))}
                    onRemove={columns.length > 1 ? () => put(removeColumn(rows, column)) : undefined}
                  />
                </th>
              ))}
              <th className="w-8">
                <span className="sr-only">{t('object.remove')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
              <tr key={at} className="group/row">
                {columns.map((column, place) => (
                  <td key={column} className="p-1">
                    <TableCell
                      label={t('table.cell', { column, row: at + 1 })}
                      value={row[column]}
                      type={withoutNull(field.schema).items?.properties?.[column]?.type}
                      disabled={disabled}
                      onChange={(next) => onChange(rows.with(at, { ...row, [column]: next }))}
                      onPaste={(text) => put(paste(rows, columns, { row: at, column: place }, text))}
                    />
                  </td>
                ))}
                <td className="pr-1">
                  {!disabled && (
                    <IconButton
                      size="sm"
                      tooltip={false}
                      label={t('table.removeRow', { number: at + 1 })}
                      icon={<X />}
                      onClick={() => put(rows.toSpliced(at, 1))}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!disabled && (
        <div className="mt-1 flex gap-1">
          <Button size="sm" variant="ghost" onClick={addRow}>
            <Plus aria-hidden />
            {t('table.addRow')}
          </Button>
          {known.length === 0 && (
            <Button
              size="sm"
              variant="ghost"
              onClick={() => put(rows.map((row) => ({ ...row, [unlike(fresh, columns)]: '' })))}
            >
              <Plus aria-hidden />
              {t('table.addColumn')}
            </Button>
          )}
        </div>
      )}
      {!disabled && <p className="mt-1 text-muted text-xs">{t('table.paste')}</p>}
    </fieldset>
  )
}

type ColumnNameProps = {
  name: string
  number: number
  taken: readonly string[]
  fixed: boolean | undefined
  onRename: (name: string) => void
  onRemove: (() => void) | undefined
}

/** An editable column name; an empty or duplicate name is reset. */
function ColumnName({ name, number, taken, fixed, onRename, onRemove }: ColumnNameProps) {
  const { t } = useTranslation('inspector')
  const [text, setText] = useState(name)
  if (fixed) return <span className="px-1.5 font-[550]">{name}</span>
  const refused = text.trim() === '' || (text.trim() !== name && taken.includes(text.trim()))
  return (
    <span className="flex items-center">
      <input
        aria-label={t('table.column', { number })}
        aria-invalid={refused || undefined}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        onBlur={() => {
          if (refused) setText(name)
          else if (text.trim() !== name) onRename(text.trim())
        }}
        className="h-7 w-full min-w-20 rounded-s bg-transparent px-1.5 font-[550] hover:bg-sunken focus-visible:field-focus aria-invalid:text-madder-text"
      />
      {onRemove && (
        <IconButton
          size="sm"
          tooltip={false}
          label={t('table.removeColumn', { name })}
          icon={<X className="size-3!" />}
          className="h-6 w-6 flex-none text-faint"
          onClick={onRemove}
        />
      )}
    </span>
  )
}

function blank(columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, '']))
}

function unlike(name: string, taken: readonly string[]): string {
  return taken.includes(name) ? unlike(`${name}'`, taken) : name
}

type TableCellProps = {
  label: string
  value: unknown
  /** The schema of the column, if there is one. */
  type: Schema['type']
  disabled: boolean | undefined
  onChange: (value: unknown) => void
  /** Called with pasted text of several cells. */
  onPaste: (text: string) => void
}

/** A cell: text, or a number if its previous value was one. */
export function TableCell({ label, value, type, disabled, onChange, onPaste }: TableCellProps) {
  const was = useRef<string>(typeof value)
  const numeric = () => type === 'number' || type === 'integer' || (!type && was.current === 'number')
  return (
    <Input
      aria-label={label}
      className="h-8 min-w-24 px-2"
      value={shown(value)}
      disabled={disabled}
      onFocus={() => {
        was.current = typeof value
      }}
      onChange={(event) => onChange(numeric() ? numberOr(event.target.value) : event.target.value)}
      onPaste={(event) => {
        const text = event.clipboardData.getData('text/plain')
        if (!/[\t\n]/.test(text.trimEnd())) return
        event.preventDefault()
        onPaste(text)
      }}
    />
  )
}

function shown(value: unknown): string {
  return summarizeData(value)
}
