import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { ScrollRegion } from '@/components/surfaces'
import { CardTile } from './card-tiles'
import { type Cell, columnTitle, type DataLayout, layOutData } from './model/data-layout'
import type { Tile } from './model/tiles'
import type { TileActionHandlers } from './tile-actions'

type DataTileProps = { tile: Tile; actions: TileActionHandlers }

/** JSON as a table for reading, and as it is for whoever wants that. */
export function DataTile({ tile, actions }: DataTileProps) {
  const { t } = useTranslation('runs')
  const [raw, setRaw] = useState(false)
  return (
    <CardTile tile={tile} actions={actions}>
      <ScrollRegion label={actions.titleOf(tile)} className="mt-2 max-h-90">
        {raw ? (
          <pre className="font-mono text-xs leading-relaxed">{JSON.stringify(tile.value, null, 2)}</pre>
        ) : (
          <LaidOut laid={layOutData(tile.value)} />
        )}
      </ScrollRegion>
      <Button size="sm" variant="ghost" className="-ml-2.5 mt-2 self-start" onClick={() => setRaw(!raw)}>
        {t(raw ? 'table.showTable' : 'table.showJson')}
      </Button>
    </CardTile>
  )
}

const headCell = 'border-hairline border-b px-2.5 py-1.5 text-left font-[550] text-muted text-xs first:pl-0'
const bodyCell = 'border-hairline border-b px-2.5 py-1.5 align-top first:pl-0'

export function LaidOut({ laid }: { laid: DataLayout }) {
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
  return typeof cell === 'string' ? cell : <LaidOut laid={cell} />
}
