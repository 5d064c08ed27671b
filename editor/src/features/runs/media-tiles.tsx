import { Maximize2, Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AiMark } from '@/components/credentials/ai-mark'
import { IconButton } from '@/components/icon-button'
import { MaskOverImage } from '@/components/mask/mask-over-image'
import { Video } from '@/components/media/video'
import { type Asset, imageUrl } from '@/lib/api/assets'
import { classes } from '@/lib/classes'
import type { Box } from './model/image-layout'
import { type Corner, grayscaleOf, quietCorner } from './model/label-placement'
import type { Tile } from './model/tiles'
import { type TileActionHandlers, TileActions } from './tile-actions'
import { TileFrame, TileTag } from './tile-frame'

type ImageTileProps = {
  tile: Tile
  box: Box | null
  asset: Asset | undefined
  actions: TileActionHandlers
  picked: boolean
}

/** An image or a mask; press to open it in the viewer. */
export function ImageTile({ tile, box, asset, actions, picked }: ImageTileProps) {
  const { t } = useTranslation('runs')
  const [shown, setShown] = useState(false)
  const { image, tag, corner } = useLabelCorner(shown, box)
  const title = actions.titleOf(tile)
  // A thumbnail is sharp up to about its own width.
  const src = (box?.width ?? 0) > 400 ? asset && imageUrl(asset) : (asset?.thumbnail_url ?? asset?.url)
  return (
    <TileFrame
      box={box}
      className={classes('bg-sunken', picked && 'outline-2 outline-cobalt -outline-offset-2')}
    >
      <button
        type="button"
        data-tile={tile.key}
        aria-label={t('view', { title })}
        onClick={() => actions.view(tile)}
        className="absolute inset-0 cursor-zoom-in rounded-[16px] focus-visible:outline-offset-[-3px]"
      >
        {asset && tile.kind === 'mask' && (
          <MaskOverImage
            mask={asset}
            alt={t('maskAlt', { title })}
            small={(box?.width ?? 0) <= 400}
            className="size-full object-cover"
          />
        )}
        {src && tile.kind !== 'mask' && (
          <img
            ref={image}
            src={src}
            alt={asset?.made_by?.prompt ? `${title}. ${asset.made_by.prompt}` : title}
            width={asset?.width ?? undefined}
            height={asset?.height ?? undefined}
            decoding="async"
            onLoad={() => setShown(true)}
            className={classes(
              'size-full object-cover transition-opacity duration-200',
              shown ? 'opacity-100' : 'opacity-0',
            )}
          />
        )}
        <TileTag ref={tag} tile={tile} corner={tile.kind === 'mask' ? 'left' : corner} />
      </button>
      <AiMark made={asset?.ai_made} className="absolute top-2.5 left-2.5" />
      <TileActions tile={tile} actions={actions} over />
    </TileFrame>
  )
}

/** The corner for the label, computed again when the image moves. */
function useLabelCorner(shown: boolean, box: Box | null) {
  const image = useRef<HTMLImageElement>(null)
  const tag = useRef<HTMLSpanElement>(null)
  const [corner, setCorner] = useState<Corner | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: of another size, the label covers another part.
  useEffect(() => {
    if (shown && image.current && tag.current) setCorner(labelCornerOf(image.current, tag.current))
  }, [shown, box?.width, box?.height])
  return { image, tag, corner }
}

const LABEL_MARGIN = 10

function labelCornerOf(image: HTMLImageElement, tag: HTMLElement): Corner | null {
  const cover = {
    width: (tag.offsetWidth + LABEL_MARGIN) / image.clientWidth,
    height: (tag.offsetHeight + LABEL_MARGIN) / image.clientHeight,
  }
  try {
    return quietCorner(grayscaleOf(image), cover)
  } catch {
    return 'left' // pixels of a cross-origin image cannot be read
  }
}

type VideoTileProps = {
  tile: Tile
  box: Box | null
  asset: Asset | undefined
  actions: TileActionHandlers
  picked: boolean
}

/** A video that plays in place. */
export function VideoTile({ tile, box, asset, actions, picked }: VideoTileProps) {
  const { t } = useTranslation('runs')
  const video = useRef<HTMLVideoElement>(null)
  const [started, setStarted] = useState(false)
  const title = actions.titleOf(tile)
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
      <AiMark
        made={asset?.ai_made}
        className="absolute top-2.5 left-2.5 transition-opacity max-sm:left-12 sm:group-focus-within/tile:opacity-0 sm:group-hover/tile:opacity-0"
      />
      <div className="absolute top-2.5 left-2.5 transition-opacity sm:opacity-0 sm:group-focus-within/tile:opacity-100 sm:group-hover/tile:opacity-100">
        <IconButton
          size="sm"
          label={t('view', { title })}
          icon={<Maximize2 />}
          className="h-7.5 w-7.5 bg-[#fffdf9]/94 text-[#1d1a16] hover:bg-[#fffdf9]"
          onClick={() => actions.view(tile)}
        />
      </div>
      <TileActions tile={tile} actions={actions} over />
    </TileFrame>
  )
}
