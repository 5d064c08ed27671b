import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog'
import { Video } from '@/components/media/video'
import { type Asset, imageUrl } from '@/lib/api/assets'
import type { Tile } from './model/tiles'

type CompareDialogProps = {
  pair: readonly Tile[]
  assetOf: (tile: Tile) => Asset | undefined
  titleOf: (tile: Tile) => string
  onClose: () => void
}

/** Two results side by side. */
export function CompareDialog({ pair, assetOf, titleOf, onClose }: CompareDialogProps) {
  const { t } = useTranslation('runs')
  return (
    <Dialog
      open={pair.length === 2}
      onOpenChange={(open) => !open && onClose()}
      title={t('compareTitle')}
      size="xl"
    >
      <div className="grid grid-cols-2 gap-3 sm:gap-4">
        {pair.map((tile) => (
          <figure key={tile.key} className="min-w-0">
            <CompareSide tile={tile} asset={assetOf(tile)} title={titleOf(tile)} />
            <figcaption className="mt-2">
              <span className="font-semibold">{titleOf(tile)}</span>
              <p className="line-clamp-3 text-muted text-sm">{assetOf(tile)?.made_by?.prompt}</p>
            </figcaption>
          </figure>
        ))}
      </div>
    </Dialog>
  )
}

function CompareSide({ tile, asset, title }: { tile: Tile; asset: Asset | undefined; title: string }) {
  const look = 'max-h-[62vh] w-full rounded-m bg-sunken object-contain'
  if (!asset) return null
  if (tile.kind === 'video') {
    return <Video src={asset.url} controls title={title} className={look} />
  }
  return (
    <img
      src={imageUrl(asset)}
      alt={title}
      width={asset.width ?? undefined}
      height={asset.height ?? undefined}
      className={look}
    />
  )
}
