import { Video } from '@/components/media/video'
import { Waveform } from '@/components/media/waveform'
import { type Asset, imageUrl } from '@/lib/api/assets'
import { titleOf } from '@/lib/asset-title'
import { TextContent } from './text-content'

/** An asset in full: the image, the player; nothing for files that browsers cannot show. */
export function AssetContent({ asset }: { asset: Asset }) {
  const name = titleOf(asset)
  const look = 'max-h-[56vh] w-full rounded-m bg-sunken object-contain'
  switch (asset.kind) {
    case 'image':
      return (
        <img
          src={imageUrl(asset)}
          alt={asset.made_by?.prompt ?? name}
          width={asset.width ?? undefined}
          height={asset.height ?? undefined}
          className={look}
        />
      )
    case 'video':
      return (
        <Video
          src={asset.url}
          poster={asset.thumbnail_url ?? undefined}
          controls
          title={name}
          className={look}
        />
      )
    case 'audio':
      return <Waveform key={asset.id} src={asset.url} title={name} seconds={asset.seconds} height={80} />
    case 'text':
      return <TextContent key={asset.id} asset={asset} />
    default:
      return null
  }
}
