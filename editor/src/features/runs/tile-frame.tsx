import type { ReactNode, Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { classes } from '@/lib/classes'
import type { Box } from './model/image-layout'
import type { Corner } from './model/label-placement'
import type { Tile } from './model/tiles'

type TileFrameProps = {
  /** Its position among the images; null where CSS positions it. */
  box: Box | null
  className?: string
  children: ReactNode
}

/** The frame of a tile. Its size does not depend on the content. */
export function TileFrame({ box, className, children }: TileFrameProps) {
  return (
    <li
      className={classes(
        'group/tile min-w-0 overflow-hidden rounded-[16px]',
        box ? 'absolute' : 'relative',
        className,
      )}
      style={box ? { left: box.x, top: box.y, width: box.width, height: box.height } : undefined}
    >
      {children}
    </li>
  )
}

type TileTagProps = {
  tile: Tile
  /** The corner of the label; null hides it, but keeps its size measurable. */
  corner?: Corner | null
  ref?: Ref<HTMLSpanElement>
}

/** A label such as `Hero, 4:5` over the image, placed away from its details; hidden on hover. */
export function TileTag({ tile, corner = 'left', ref }: TileTagProps) {
  const { t } = useTranslation('common')
  return (
    <span
      ref={ref}
      className={classes(
        'absolute bottom-2.5 max-w-[calc(100%-20px)] truncate rounded-pill bg-[#fffdf9]/92 px-2.5 py-[3px] font-[550] text-[#1d1a16] text-xs transition-opacity group-hover/tile:opacity-0',
        corner === 'right' ? 'right-2.5' : 'left-2.5',
        corner === null && 'invisible opacity-0',
      )}
    >
      {[tile.title, tile.kind === 'mask' ? t('kind.mask') : tile.ratioName].filter(Boolean).join(', ')}
    </span>
  )
}
