import { Paperclip } from 'lucide-react'
import type { Asset } from '@/lib/api/assets'
import { bytes } from '@/lib/format'
import { CardTile } from './card-tile'
import type { Tile } from './model/tiles'
import type { TileActionHandlers } from './tile-actions'

type FileTileProps = { tile: Tile; asset: Asset | undefined; acts: TileActionHandlers }

/** A file that the page can only hand over. */
export function FileTile({ tile, asset, acts }: FileTileProps) {
  return (
    <CardTile tile={tile} acts={acts} about={asset ? bytes(asset.bytes) : ''}>
      <p className="flex flex-1 items-center gap-2.5 text-muted">
        <Paperclip aria-hidden className="size-5" />
        {asset?.name ?? asset?.media_type}
      </p>
    </CardTile>
  )
}
