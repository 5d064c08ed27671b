import { Chip } from '@/components/chip'
import { Markdown } from '@/components/markdown'
import { ScrollRegion } from '@/components/scroll-region'
import { asText } from '@/lib/run/values'
import { CardTile } from './card-tile'
import { splitHashtags } from './model/tile-text'
import type { Tile } from './model/tiles'
import type { TileActionHandlers } from './tile-actions'

type TextTileProps = { tile: Tile; acts: TileActionHandlers }

/** Words, as they come and when they are done; closing hashtags become chips. */
export function TextTile({ tile, acts }: TextTileProps) {
  const done = tile.state === 'ready'
  const { body, hashtags } = splitHashtags(done ? (asText(tile.value) ?? '') : (tile.text ?? ''))
  return (
    <CardTile tile={tile} acts={acts}>
      <ScrollRegion label={acts.titleOf(tile)} className="mt-1 max-h-90">
        {done ? (
          <Markdown>{body}</Markdown>
        ) : (
          <p className="whitespace-pre-wrap leading-relaxed">
            {tile.text}
            <span
              aria-hidden
              className="ml-0.5 inline-block h-4 w-[1.5px] animate-breathe bg-cobalt align-[-3px]"
            />
          </p>
        )}
        {done && hashtags.length > 0 && (
          <div className="mt-3 flex flex-wrap gap-1.5">
            {hashtags.map((hashtag) => (
              <Chip key={hashtag}>{hashtag}</Chip>
            ))}
          </div>
        )}
      </ScrollRegion>
    </CardTile>
  )
}
