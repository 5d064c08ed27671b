import type { ReactNode } from 'react'
import { Card } from '@/components/card'
import type { Tile } from './model/tiles'
import { type TileActionHandlers, TileActions } from './tile-actions'

type CardTileProps = {
  tile: Tile
  acts: TileActionHandlers | null
  /** Beside the title: a voice, a length. */
  about?: string
  children: ReactNode
}

/** A sheet for what is heard or read: title, actions, content. */
export function CardTile({ tile, acts, about, children }: CardTileProps) {
  return (
    <Card asChild className="min-w-0 rounded-[16px]">
      <li className="group/tile relative flex min-h-51.5 flex-col px-4.5 py-4">
        <div className="flex min-h-7 items-center gap-2.5">
          <h2
            tabIndex={-1}
            data-tile={tile.key}
            className="rounded-xs font-semibold text-base outline-offset-4"
          >
            {acts?.titleOf(tile) ?? tile.title}
          </h2>
          {about && <span className="min-w-0 truncate text-muted text-xs">{about}</span>}
          <span className="flex-1" />
          {acts && tile.state === 'ready' && <TileActions tile={tile} actions={acts} />}
        </div>
        {children}
      </li>
    </Card>
  )
}
