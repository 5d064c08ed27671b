import { useQuery } from '@tanstack/react-query'
import { Brush, Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { MaskResult } from '@/components/mask/lazy-mask'
import { canMask, imagesOf } from '@/document/mask-actions'
import { useSession, useView } from '@/document/use-session'
import { findNode } from '@/graph/document'
import { exportUrl } from '@/lib/api/asset-files'
import { type Asset, assetsQuery, imageUrl } from '@/lib/api/assets'
import type { MediaValue } from '@/lib/run/media-values'

/** Images, videos and audio of a result, each with a download button. */
export function MediaResult({ media }: { media: readonly MediaValue[] }) {
  const { data } = useQuery(assetsQuery(media.map((one) => one.asset_id)))
  const byId = new Map(data?.map((asset) => [asset.id, asset]))
  return (
    <ul className="flex flex-col gap-3">
      {media.map((value, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same asset may come twice
        <li key={`${value.asset_id}${at}`} className="flex flex-col gap-1.5">
          <Piece value={value} asset={byId.get(value.asset_id)} />
        </li>
      ))}
    </ul>
  )
}

function Piece({ value, asset }: { value: MediaValue; asset: Asset | undefined }) {
  const { t } = useTranslation('inspector')
  const ratio = value.width && value.height ? `${value.width} / ${value.height}` : '1'
  if (!asset)
    return <div style={{ aspectRatio: ratio }} className="w-full animate-breathe rounded-m bg-sunken" />
  return (
    <>
      {value.isMask ? (
        <MaskResult mask={asset} title={asset.name ?? ''} />
      ) : (
        <Shown asset={asset} ratio={ratio} />
      )}
      <div className="flex flex-wrap gap-1">
        <Button asChild size="sm" variant="ghost">
          <a href={exportUrl(asset)} download={asset.name ?? asset.id}>
            <Download />
            {t('results.download')}
          </a>
        </Button>
        <MaskButton assetId={asset.id} />
      </div>
    </>
  )
}

/** Paints a mask on an image of the inspected node. */
function MaskButton({ assetId }: { assetId: string }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const chosen = useView((view) => (view.nodes.length === 1 ? view.nodes[0] : undefined))
  const node = findNode(session.document, chosen ?? '')
  const image = node && imagesOf(session, node).find((one) => one.image.asset_id === assetId)
  if (!image || !canMask(session)) return null
  return (
    <Button size="sm" variant="ghost" onClick={() => session.view.setState({ masking: image })}>
      <Brush />
      {t('menu.mask')}
    </Button>
  )
}

function Shown({ asset, ratio }: { asset: Asset; ratio: string }) {
  const look = 'w-full rounded-m bg-sunken'
  if (asset.kind === 'image') {
    return (
      <img
        src={imageUrl(asset)}
        alt={asset.name ?? ''}
        style={{ aspectRatio: ratio }}
        className={`${look} object-contain`}
      />
    )
  }
  if (asset.kind === 'video') {
    return (
      // biome-ignore lint/a11y/useMediaCaption: generated videos have no captions of their own
      <video
        src={asset.url}
        poster={asset.thumbnail_url ?? undefined}
        controls
        style={{ aspectRatio: ratio }}
        className={look}
      />
    )
  }
  // biome-ignore lint/a11y/useMediaCaption: its text is the node's input
  if (asset.kind === 'audio') return <audio src={asset.url} controls className="w-full" />
  return <p className="truncate">{asset.name ?? asset.id}</p>
}
