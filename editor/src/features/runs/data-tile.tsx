import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { DataTable } from '@/components/data-table'
import { ScrollRegion } from '@/components/surfaces'
import { layOutData } from '@/lib/data-layout'
import { CardTile } from './card-tiles'
import type { Tile } from './model/tiles'
import type { TileActionHandlers } from './tile-actions'

type DataTileProps = { tile: Tile; actions: TileActionHandlers }

/** JSON as a table, with a switch to the raw text. */
export function DataTile({ tile, actions }: DataTileProps) {
  const { t } = useTranslation('runs')
  const [raw, setRaw] = useState(false)
  return (
    <CardTile tile={tile} actions={actions}>
      <ScrollRegion label={actions.titleOf(tile)} className="mt-2 max-h-90">
        {raw ? (
          <pre className="font-mono text-xs leading-relaxed">{JSON.stringify(tile.value, null, 2)}</pre>
        ) : (
          <DataTable laid={layOutData(tile.value)} />
        )}
      </ScrollRegion>
      <Button size="sm" variant="ghost" className="-ml-2.5 mt-2 self-start" onClick={() => setRaw(!raw)}>
        {t(raw ? 'table.showTable' : 'table.showJson')}
      </Button>
    </CardTile>
  )
}
