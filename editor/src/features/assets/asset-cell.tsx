import { AudioLines, Film, Paperclip, Play } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { FavouriteButton } from '@/components/asset/favourite-button'
import { PlainCheckbox } from '@/components/checkbox'
import { AiMark } from '@/components/credentials/ai-mark'
import type { Asset } from '@/lib/api/assets'
import { titleOf } from '@/lib/asset-title'
import { classes } from '@/lib/classes'
import { seconds } from '@/lib/format'
import { i18n } from '@/lib/i18n'

type AssetCellProps = {
  asset: Asset
  chosen: boolean
  /** Whether any asset is selected: a press then toggles the selection. */
  choosing: boolean
  onChoose: (asset: Asset, isRange: boolean) => void
  onOpen: (asset: Asset) => void
}

const glyphs: Record<string, ReactNode> = {
  video: <Film />,
  audio: <AudioLines className="text-viridian" />,
}

/**
 * One asset of the grid: a press opens it, its checkbox selects it. Scrolling renders many cells within a frame, so a cell
 * has no hooks.
 */
export const AssetCell = memo(function AssetCell({
  asset,
  chosen,
  choosing,
  onChoose,
  onOpen,
}: AssetCellProps) {
  const name = titleOf(asset)
  return (
    <div
      className={classes(
        'group relative size-full overflow-hidden rounded-m bg-sunken',
        chosen && 'outline-2 outline-cobalt outline-offset-1',
      )}
    >
      <button
        type="button"
        data-asset={asset.id}
        aria-label={i18n.t('assets:open', { name })}
        aria-pressed={choosing ? chosen : undefined}
        onClick={({ shiftKey }) => (choosing || shiftKey ? onChoose(asset, shiftKey) : onOpen(asset))}
        className="absolute inset-0 overflow-hidden rounded-m focus-visible:outline-offset-[-3px]"
      >
        <Preview asset={asset} />
        {asset.kind === 'video' && (
          <Play
            aria-hidden
            className="absolute top-1/2 left-1/2 size-7 -translate-x-1/2 -translate-y-1/2 fill-[#fffdf9] text-[#fffdf9] drop-shadow"
          />
        )}
        <span
          className={classes(
            'absolute inset-x-2 bottom-2 flex transition-opacity',
            // The label of an image is shown only on hover or focus.
            asset.kind === 'image' &&
              'pointer-fine:opacity-0 group-focus-within:opacity-100 group-hover:opacity-100',
          )}
        >
          <span className="min-w-0 truncate rounded-pill bg-[#fffdf9]/92 px-2 py-0.5 text-[#1d1a16] text-micro">
            {[name, asset.seconds ? seconds(asset.seconds) : null].filter(Boolean).join(', ')}
          </span>
        </span>
      </button>
      <FavouriteButton
        asset={asset}
        className={classes(
          'absolute top-1.5 right-1.5 focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100',
          asset.favourite ? 'opacity-100' : 'opacity-0',
        )}
      />
      <AiMark
        made={asset.ai_made}
        className={classes(
          'absolute top-2 left-2 pointer-coarse:left-9 transition-opacity group-focus-within:opacity-0 group-hover:opacity-0',
          (chosen || choosing) && 'opacity-0',
        )}
      />
      <PlainCheckbox
        isChecked={chosen}
        label={i18n.t('assets:select', { name })}
        onClick={({ shiftKey }) => onChoose(asset, shiftKey)}
        className={classes(
          'absolute top-2 left-2 transition-opacity focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100',
          chosen || choosing ? 'opacity-100' : 'opacity-0',
        )}
      />
    </div>
  )
})

/** The image, the first words of a text, or a symbol. */
function Preview({ asset }: { asset: Asset }) {
  const image = asset.thumbnail_url ?? (asset.kind === 'image' ? asset.url : null)
  if (image) return <img src={image} alt="" decoding="async" className="size-full object-cover" />
  if (asset.excerpt) {
    return (
      <span
        dir="auto"
        className="wrap-anywhere absolute inset-x-3.5 top-10 bottom-9 overflow-hidden text-start font-serif text-lg leading-snug"
      >
        {asset.excerpt}
      </span>
    )
  }
  return (
    <span className="absolute inset-0 grid place-items-center text-muted [&_svg]:size-7">
      {glyphs[asset.kind] ?? <Paperclip />}
    </span>
  )
}
