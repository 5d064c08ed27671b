import { Maximize2, Play } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/icon-button'
import { Video } from '@/components/media/video'
import type { Asset } from '@/lib/api/assets'
import { classes } from '@/lib/classes'
import type { Box } from './model/image-layout'
import type { Tile } from './model/tiles'
import { type TileActionHandlers, TileActions } from './tile-actions'
import { TileFrame } from './tile-frame'
import { TileTag } from './tile-tag'

type VideoTileProps = {
  tile: Tile
  box: Box | null
  asset: Asset | undefined
  acts: TileActionHandlers
  picked: boolean
}

/** A film that plays where it is. */
export function VideoTile({ tile, box, asset, acts, picked }: VideoTileProps) {
  const { t } = useTranslation('runs')
  const video = useRef<HTMLVideoElement>(null)
  const [started, setStarted] = useState(false)
  const title = acts.titleOf(tile)
  return (
    <TileFrame
      box={box}
      className={classes('bg-[#100e0c]', picked && 'outline-2 outline-cobalt -outline-offset-2')}
    >
      {asset && (
        <Video
          ref={video}
          src={asset.url}
          poster={asset.thumbnail_url ?? undefined}
          controls={started}
          title={title}
          onPlay={() => setStarted(true)}
          className={classes('absolute inset-0 size-full', started ? 'object-contain' : 'object-cover')}
        />
      )}
      {!started && (
        <button
          type="button"
          data-tile={tile.key}
          aria-label={t('play', { title })}
          onClick={() => {
            setStarted(true)
            void video.current?.play()
          }}
          className="absolute inset-0 grid place-items-center rounded-[16px] focus-visible:outline-offset-[-3px]"
        >
          <span className="grid size-13 place-items-center rounded-pill bg-[#fffdf9]/94 text-[#1d1a16] shadow-float transition-transform group-hover/tile:scale-105">
            <Play aria-hidden className="ml-0.5 size-5 fill-current" />
          </span>
          <TileTag tile={tile} />
        </button>
      )}
      <div className="absolute top-2.5 left-2.5 transition-opacity sm:opacity-0 sm:group-focus-within/tile:opacity-100 sm:group-hover/tile:opacity-100">
        <IconButton
          size="sm"
          label={t('view', { title })}
          icon={<Maximize2 />}
          className="h-7.5 w-7.5 bg-[#fffdf9]/94 text-[#1d1a16] hover:bg-[#fffdf9]"
          onClick={() => acts.view(tile)}
        />
      </div>
      <TileActions tile={tile} actions={acts} over />
    </TileFrame>
  )
}
