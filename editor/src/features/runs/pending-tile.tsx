import { Ban, CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Asset } from '@/lib/api/assets'
import { classes } from '@/lib/classes'
import { type TypeColor, textColorClass } from '@/lib/type-colors'
import type { Box } from './model/image-layout'
import { loadingMessage } from './model/tile-text'
import type { Tile, TileKind } from './model/tiles'
import { TileFrame } from './tile-frame'

type PendingTileProps = {
  tile: Tile
  box: Box | null
  title: string
  /** Seconds since the start of the run, for rotating the loading messages. */
  elapsed: number
  /** Its index in the gallery, so that tiles show different messages. */
  place: number
  preview: Asset | undefined
}

const kindColors: Record<TileKind, TypeColor> = {
  image: 'vermilion',
  mask: 'vermilion',
  video: 'violet',
  audio: 'viridian',
  text: 'cobalt',
  data: 'slate',
  file: 'slate',
}

/** A tile whose result is pending, failed or cancelled. */
export function PendingTile({ tile, box, title, elapsed, place, preview }: PendingTileProps) {
  const waiting = tile.state === 'waiting' || tile.state === 'running'
  return (
    <TileFrame
      box={box}
      className={classes(
        'grid place-items-center bg-sunken p-3 text-center text-muted',
        !box && 'min-h-51.5',
      )}
    >
      {preview && (
        <img
          src={preview.thumbnail_url ?? preview.url}
          alt=""
          className="absolute inset-0 size-full object-cover opacity-45"
        />
      )}
      <div className="relative">
        {waiting ? (
          <Loading tile={tile} title={title} elapsed={elapsed} place={place} />
        ) : (
          <MissingResult tile={tile} title={title} />
        )}
      </div>
    </TileFrame>
  )
}

type LoadingProps = Pick<PendingTileProps, 'tile' | 'title' | 'elapsed' | 'place'>

function Loading({ tile, title, elapsed, place }: LoadingProps) {
  const { t } = useTranslation('runs')
  return (
    <>
      <Ring kind={tile.kind} still={tile.state === 'waiting'} />
      <p>{t(`loading.${loadingMessage(elapsed, place)}`)}</p>
      <p className="mt-1 text-xs">{[title, tile.message].filter(Boolean).join(', ')}</p>
      {tile.progress !== null && (
        <span aria-hidden className="mx-auto mt-3 block h-1 w-28 overflow-hidden rounded-pill bg-hairline">
          <span
            className={classes(
              'block h-full rounded-pill bg-current transition-[width]',
              textColorClass[kindColors[tile.kind]],
            )}
            style={{ width: `${Math.round(tile.progress * 100)}%` }}
          />
        </span>
      )}
    </>
  )
}

function Ring({ kind, still }: { kind: TileKind; still: boolean }) {
  return (
    <span
      aria-hidden
      className={classes(
        'mx-auto mb-3 block size-8.5 rounded-pill',
        textColorClass[kindColors[kind]],
        still ? 'animate-breathe' : 'animate-turn',
      )}
      style={{
        background: 'conic-gradient(from 0deg, transparent 20%, currentColor)',
        mask: 'radial-gradient(circle at center, transparent 55%, #000 57%)',
      }}
    />
  )
}

function MissingResult({ tile, title }: Pick<PendingTileProps, 'tile' | 'title'>) {
  const { t } = useTranslation('runs')
  const failed = tile.state === 'failed'
  const Glyph = failed ? CircleAlert : Ban
  return (
    <>
      <Glyph
        aria-hidden
        className={classes('mx-auto mb-2.5 size-6', failed ? 'text-madder' : 'text-ghost')}
      />
      <p className={failed ? 'text-madder-text' : undefined}>
        {failed ? (tile.error ?? t('failed')) : t(tile.state === 'stopped' ? 'stopped' : 'notGenerated')}
      </p>
      <p className="mt-1 text-xs">{title}</p>
    </>
  )
}
