import { DataTable } from '@/components/data-table'
import { ScrollRegion } from '@/components/surfaces'
import { layOutData } from '@/lib/data-layout'
import { CardTile } from './card-tiles'
import type { Tile } from './model/tiles'
import type { TileActionHandlers } from './tile-actions'

type DataTileProps = { tile: Tile; actions: TileActionHandlers }

/** Structured data as a table; Copy and Download give the JSON. */
export function DataTile({ tile, actions }: DataTileProps) {
  return (
    <CardTile tile={tile} actions={actions}>
      <ScrollRegion label={actions.titleOf(tile)} className="mt-2 max-h-90">
        <DataTable laid={layOutData(tile.value)} />
      </ScrollRegion>
    </CardTile>
  )
}
