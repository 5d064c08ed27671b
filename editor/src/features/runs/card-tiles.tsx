import { Paperclip } from 'lucide-react'
import type { ReactNode } from 'react'
import { Chip } from '@/components/chip'
import { AiMark } from '@/components/credentials/ai-mark'
import { Markdown } from '@/components/markdown'
import { Waveform } from '@/components/media/waveform'
import { Card, ScrollRegion } from '@/components/surfaces'
import type { Asset } from '@/lib/api/assets'
import { bytes, seconds } from '@/lib/format'
import { choiceLabel, formatLabel } from '@/lib/humanize'
import { splitHashtags } from '@/lib/run/meanings'
import { asText } from '@/lib/run/values'
import { ContentView } from './content-view'
import type { Tile } from './model/tiles'
import { type TileActionHandlers, TileActions } from './tile-actions'

type CardTileProps = {
  tile: Tile
  actions: TileActionHandlers | null
  /** Content beside the title: a voice, a duration. */
  about?: string
  made?: Asset['ai_made']
  children: ReactNode
}

/** The frame of an audio or text tile: title, actions, content. */
export function CardTile({ tile, actions, about, made, children }: CardTileProps) {
  return (
    <Card asChild className="min-w-0 rounded-[16px]">
      <li className="group/tile relative flex min-h-51.5 flex-col px-4.5 py-4">
        <div className="flex min-h-7 items-center gap-2.5">
          <h2
            tabIndex={-1}
            data-tile={tile.key}
            className="wrap-anywhere min-w-0 rounded-xs font-semibold text-base outline-offset-4"
          >
            {actions?.titleOf(tile) ?? tile.title}
          </h2>
          {about && <span className="min-w-0 truncate text-muted text-xs">{about}</span>}
          <AiMark made={made} />
          <span className="flex-1" />
          {actions && tile.state === 'ready' && <TileActions tile={tile} actions={actions} />}
        </div>
        {children}
      </li>
    </Card>
  )
}

type TextTileProps = { tile: Tile; actions: TileActionHandlers }

/** Text, while streaming and when done; closing hashtags are shown as chips. */
export function TextTile({ tile, actions }: TextTileProps) {
  const done = tile.state === 'ready'
  const { body, hashtags } = splitHashtags(done ? (asText(tile.value) ?? '') : (tile.text ?? ''))
  return (
    <CardTile tile={tile} actions={actions}>
      <ScrollRegion label={actions.titleOf(tile)} className="mt-1 max-h-90">
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

/** A result with a declared meaning: a post, hashtags, a shot list, … */
export function ContentTile({ tile, actions }: TextTileProps) {
  return (
    <CardTile tile={tile} actions={actions}>
      {tile.content && (
        <ScrollRegion label={actions.titleOf(tile)} className="mt-2 max-h-90">
          <ContentView content={tile.content} />
        </ScrollRegion>
      )}
    </CardTile>
  )
}

type AudioTileProps = { tile: Tile; asset: Asset | undefined; actions: TileActionHandlers }

/** Audio with its waveform. */
export function AudioTile({ tile, asset, actions }: AudioTileProps) {
  const voice = asset?.made_by?.settings?.voice
  const length = asset?.seconds ?? tile.media?.seconds ?? null
  const about = [
    typeof voice === 'string' ? choiceLabel(voice) : null,
    length === null ? null : seconds(length),
  ]
  return (
    <CardTile tile={tile} actions={actions} about={about.filter(Boolean).join(', ')} made={asset?.ai_made}>
      <div className="flex flex-1 items-center">
        {asset && <Waveform src={asset.url} title={actions.titleOf(tile)} seconds={length} />}
      </div>
    </CardTile>
  )
}

type FileTileProps = { tile: Tile; asset: Asset | undefined; actions: TileActionHandlers }

/** A file that can only be downloaded. */
export function FileTile({ tile, asset, actions }: FileTileProps) {
  return (
    <CardTile tile={tile} actions={actions} about={asset ? bytes(asset.bytes) : ''}>
      <p className="flex flex-1 items-center gap-2.5 text-muted">
        <Paperclip aria-hidden className="size-5" />
        {asset && (asset.name || formatLabel(asset.media_type))}
      </p>
    </CardTile>
  )
}
