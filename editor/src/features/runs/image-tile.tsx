import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Asset } from '@/lib/api/assets'
import { classes } from '@/lib/classes'
import type { Box } from './model/image-layout'
import { type Corner, grayscaleOf, quietCorner } from './model/label-placement'
import type { Tile } from './model/tiles'
import { type TileActionHandlers, TileActions } from './tile-actions'
import { TileFrame } from './tile-frame'
import { TileTag } from './tile-tag'

type ImageTileProps = {
  tile: Tile
  box: Box | null
  asset: Asset | undefined
  acts: TileActionHandlers
  picked: boolean
}

/** A picture, whole on press. */
export function ImageTile({ tile, box, asset, acts, picked }: ImageTileProps) {
  const { t } = useTranslation('runs')
  const [shown, setShown] = useState(false)
  const { image, tag, corner } = useLabelCorner(shown, box)
  const title = acts.titleOf(tile)
  // A thumbnail is sharp enough up to about its own width.
  const src = (box?.width ?? 0) > 400 ? asset?.url : (asset?.thumbnail_url ?? asset?.url)
  return (
    <TileFrame
      box={box}
      className={classes('bg-sunken', picked && 'outline-2 outline-cobalt -outline-offset-2')}
    >
      <button
        type="button"
        data-tile={tile.key}
        aria-label={t('view', { title })}
        onClick={() => acts.view(tile)}
        className="absolute inset-0 cursor-zoom-in rounded-[16px] focus-visible:outline-offset-[-3px]"
      >
        {src && (
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
        <TileTag ref={tag} tile={tile} corner={corner} />
      </button>
      <TileActions tile={tile} actions={acts} over />
    </TileFrame>
  )
}

/** Where the label goes, looked for whenever the picture stands in another place. */
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

const MARGIN = 10

function labelCornerOf(image: HTMLImageElement, tag: HTMLElement): Corner | null {
  const cover = {
    width: (tag.offsetWidth + MARGIN) / image.clientWidth,
    height: (tag.offsetHeight + MARGIN) / image.clientHeight,
  }
  try {
    return quietCorner(grayscaleOf(image), cover)
  } catch {
    return 'left' // a picture from elsewhere may be shown, not read
  }
}
