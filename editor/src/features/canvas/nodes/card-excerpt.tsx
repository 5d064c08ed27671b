import { LONG_TEXT_HEIGHT } from '@/graph/card-room'
import { columnTitle, type DataLayout, layOutData, layoutText, lineOf } from '@/lib/data-layout'
import { i18n } from '@/lib/i18n'

/** More columns would be too narrow to be read. */
const MAX_COLUMNS = 3
/** More rows than a card can hold at any zoom. */
const MAX_ROWS = 6

/** The beginning of a text, in as many whole lines as the reserved `height` (in pixels) holds. */
export function CardText({ text, height }: { text: string; height: number }) {
  const lines = height < LONG_TEXT_HEIGHT ? 'card-short-text' : 'card-long-text'
  return <p className={`${lines} whitespace-pre-line break-words`}>{text}</p>
}

/** An excerpt of structured data, in as many whole lines as the reserved `height` (in pixels) holds. */
export function CardData({ value, height }: { value: unknown; height: number }) {
  const laid = layOutData(value)
  if (laid.shape === 'plain' || laid.shape === 'list')
    return <CardText text={layoutText(laid)} height={height} />
  const { head, rows, count } = excerptOf(laid)
  return (
    <div className="card-data">
      <div
        className="overflow-hidden"
        style={{ maxHeight: `round(down, calc(${height}px - var(--card-count-height, 1lh)), 1lh)` }}
      >
        <table className="w-full table-fixed">
          {head && (
            <thead>
              <tr>
                {head.map((column) => (
                  <th key={column} scope="col" className={`${cell} font-[550] text-faint`}>
                    {columnTitle(column)}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody className="text-ink">
            {rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a result have no identity but their place
              <tr key={at}>
                {row.map((text, column) =>
                  !head && column === 0 ? (
                    // biome-ignore lint/suspicious/noArrayIndexKey: as above
                    <th key={column} scope="row" className={`${cell} w-2/5 font-normal text-muted`}>
                      {text}
                    </th>
                  ) : (
                    // biome-ignore lint/suspicious/noArrayIndexKey: as above
                    <td key={column} className={cell}>
                      {text}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="card-count truncate text-faint legible-s">
        {i18n.t(head ? 'canvas:node.rows' : 'canvas:node.fields', { count })}
      </p>
    </div>
  )
}

const cell = 'truncate p-0 pr-2 text-left last:pr-0'

type Excerpt = { head: string[] | null; rows: string[][]; count: number }

/** The first columns and rows of a table, or the first facts as rows of name and value. */
function excerptOf(laid: Extract<DataLayout, { shape: 'table' | 'facts' }>): Excerpt {
  if (laid.shape === 'facts') {
    const rows = laid.facts.slice(0, MAX_ROWS).map(([name, held]) => [columnTitle(name), lineOf(held)])
    return { head: null, rows, count: laid.facts.length }
  }
  const rows = laid.rows.slice(0, MAX_ROWS).map((row) => row.slice(0, MAX_COLUMNS).map(lineOf))
  return { head: laid.columns.slice(0, MAX_COLUMNS), rows, count: laid.rows.length }
}
