import { type Cell, columnTitle, type DataLayout } from '@/lib/data-layout'
import { terms } from '@/lib/i18n/en/terms'

const headCell = 'border-hairline border-b px-2.5 py-1.5 text-left font-[550] text-muted text-xs first:pl-0'
const bodyCell = 'border-hairline border-b px-2.5 py-1.5 align-top first:pl-0'

type DataTableProps = {
  laid: DataLayout
  /** Whether the rows of a table have numbers. */
  numbered?: boolean
}

/** Renders a data layout: a table, rows of label and value, a list or text. */
export function DataTable({ laid, numbered }: DataTableProps) {
  if (laid.shape === 'plain') return <p className="whitespace-pre-wrap">{laid.text}</p>
  if (laid.shape === 'list') {
    return (
      <ul className="list-disc space-y-1 pl-4.5">
        {laid.items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items of a result have no identity but their place.
          <li key={index}>
            <Shown cell={item} />
          </li>
        ))}
      </ul>
    )
  }
  const rows = laid.shape === 'facts' ? laid.facts : laid.rows
  return (
    <table className="w-full border-collapse text-sm">
      {laid.shape === 'table' && (
        <thead>
          <tr>
            {numbered && (
              <th scope="col" className={headCell}>
                {terms.number}
              </th>
            )}
            {laid.columns.map((column) => (
              <th key={column} scope="col" className={headCell}>
                {columnTitle(column)}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a result have no identity but their place.
          <tr key={index}>
            {numbered && (
              <th scope="row" className={`${bodyCell} text-left font-[550] text-muted tabular-nums`}>
                {index + 1}
              </th>
            )}
            {row.map((text, column) =>
              laid.shape === 'facts' && column === 0 ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                <th key={column} scope="row" className={`${bodyCell} w-1/3 text-left font-[550] text-muted`}>
                  {columnTitle(String(text))}
                </th>
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                <td key={column} className={`${bodyCell} whitespace-pre-wrap`}>
                  <Shown cell={text} />
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Shown({ cell }: { cell: Cell }) {
  return typeof cell === 'string' ? cell : <DataTable laid={cell} />
}
