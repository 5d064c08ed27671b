import { useTranslation } from 'react-i18next'
import { CompareDialog as Frame } from '@/components/compare-dialog'
import { Video } from '@/components/media/video'
import { type Asset, imageUrl } from '@/lib/api/assets'
import type { Tile } from './model/tiles'

type CompareDialogProps = {
  pair: readonly Tile[]
  assetOf: (tile: Tile) => Asset | undefined
  titleOf: (tile: Tile) => string
  onClose: () => void
}

/** Two results of a run side by side. */
export function CompareDialog({ pair, assetOf, titleOf, onClose }: CompareDialogProps) {
  const { t } = useTranslation('runs')
  const sides = pair.map((tile) => ({
    key: tile.key,
    title: titleOf(tile),
    content: <CompareSide tile={tile} asset={assetOf(tile)} title={titleOf(tile)} />,
    notes: [assetOf(tile)?.made_by?.prompt],
  }))
  return <Frame title={t('compareTitle')} sides={sides} onClose={onClose} />
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
