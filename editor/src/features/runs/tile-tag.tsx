import { classes } from '@/lib/classes'
import type { Corner } from './model/calm'
import type { Tile } from './model/tiles'

/** `Hero, 4:5`, on paper over the picture; out of the way of what the picture says, and of whoever looks closer. */
export function TileTag({ tile, corner = 'left' }: { tile: Tile; corner?: Corner | null }) {
  if (corner === null) return null
  return (
    <span
      className={classes(
        'absolute bottom-2.5 max-w-[calc(100%-20px)] animate-fade truncate rounded-pill bg-[#fffdf9]/92 px-2.5 py-[3px] font-[550] text-[#1d1a16] text-xs transition-opacity group-hover/tile:opacity-0',
        corner === 'left' ? 'left-2.5' : 'right-2.5',
      )}
    >
      {[tile.title, tile.ratioName].filter(Boolean).join(', ')}
    </span>
  )
}
