import type { Tile } from './model/tiles'

/** `Hero, 4:5`, on paper over the picture; out of the way of whoever looks closer. */
export function TileTag({ tile }: { tile: Tile }) {
  return (
    <span className="absolute bottom-2.5 left-2.5 max-w-[calc(100%-20px)] truncate rounded-pill bg-[#fffdf9]/92 transition-opacity group-hover/tile:opacity-0 px-2.5 py-[3px] font-[550] text-[#1d1a16] text-xs">
      {[tile.title, tile.ratioName].filter(Boolean).join(', ')}
    </span>
  )
}
