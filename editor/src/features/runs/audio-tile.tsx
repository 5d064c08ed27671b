import { Waveform } from '@/components/media/waveform'
import type { Asset } from '@/lib/api/assets'
import { seconds } from '@/lib/format'
import { CardTile } from './card-tile'
import type { Tile } from './model/tiles'
import type { TileActionHandlers } from './tile-actions'

type AudioTileProps = { tile: Tile; asset: Asset | undefined; acts: TileActionHandlers }

/** A voice or a sound, with its waveform. */
export function AudioTile({ tile, asset, acts }: AudioTileProps) {
  const voice = asset?.made_by?.settings?.voice
  const length = asset?.seconds ?? tile.media?.seconds ?? null
  const about = [typeof voice === 'string' ? voice : null, length === null ? null : seconds(length)]
  return (
    <CardTile tile={tile} acts={acts} about={about.filter(Boolean).join(', ')}>
      <div className="flex flex-1 items-center">
        {asset && <Waveform src={asset.url} title={acts.titleOf(tile)} seconds={length} />}
      </div>
    </CardTile>
  )
}
