import { AudioLines, File, Play } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { AiMark } from '@/components/credentials/ai-mark'
import type { Asset } from '@/lib/api/assets'
import { classes } from '@/lib/classes'
import { tileText } from './model/tile-file'
import type { Tile } from './model/tiles'

type FilmstripProps = {
  tiles: readonly Tile[]
  current: string
  assetOf: (tile: Tile) => Asset | undefined
  titleOf: (tile: Tile) => string
  onMove: (key: string) => void
}

/** All results as small images in a row, to move between them. */
export function Filmstrip({ tiles, current, assetOf, titleOf, onMove }: FilmstripProps) {
  const { t } = useTranslation('runs')
  const shown = useRef<HTMLButtonElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another result is at another place of the row.
  useEffect(() => {
    shown.current?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
  }, [current])
  return (
    <nav aria-label={t('results')} className="scrollbar-quiet flex-none overflow-x-auto px-4 pb-4">
      <ul className="mx-auto flex w-max gap-2.5 p-1.5">
        {tiles.map((tile) => (
          <li key={tile.key}>
            <button
              ref={tile.key === current ? shown : null}
              type="button"
              aria-label={t('view', { title: titleOf(tile) })}
              aria-current={tile.key === current || undefined}
              onClick={() => onMove(tile.key)}
              className={classes(
                'relative block h-22 w-17.5 overflow-hidden rounded-m border border-hairline bg-surface',
                tile.key === current && 'outline-2 outline-cobalt outline-offset-2',
              )}
            >
              <Small tile={tile} asset={assetOf(tile)} />
              <AiMark
                made={assetOf(tile)?.ai_made}
                className="absolute top-1.5 left-1.5 px-1 py-0.5 text-[10px]"
              />
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Small({ tile, asset }: { tile: Tile; asset: Asset | undefined }) {
  if (asset?.thumbnail_url) {
    return (
      <>
        <img src={asset.thumbnail_url} alt="" loading="lazy" className="size-full object-cover" />
        {tile.kind === 'video' && (
          <Glyph>
            <span className="grid size-7 place-items-center rounded-pill bg-[#fffdf9]/94 text-[#1d1a16]">
              <Play className="ml-0.5 size-3.5 fill-current" />
            </span>
          </Glyph>
        )}
      </>
    )
  }
  const text = tile.media ? null : tileText(tile)
  if (text) {
    return (
      <span
        aria-hidden
        className="block size-full overflow-hidden p-2 text-left text-[7.5px] text-muted leading-[1.35]"
      >
        {text.slice(0, 160)}
      </span>
    )
  }
  return <Glyph>{tile.kind === 'audio' ? <AudioLines /> : tile.kind === 'video' ? <Play /> : <File />}</Glyph>
}

function Glyph({ children }: { children: ReactNode }) {
  return (
    <span aria-hidden className="absolute inset-0 grid place-items-center text-muted [&>svg]:size-6">
      {children}
    </span>
  )
}
