import { FileText } from 'lucide-react'
import type { Regeneration } from '@/lib/api/impact'
import { titleOf } from '@/lib/asset-title'
import { classes } from '@/lib/classes'

type AssetPreviewProps = { asset: Regeneration['before'] | null; className?: string }

/** The thumbnail of an asset, or its name where it has none. Its place has the same size before it is made. */
export function AssetPreview({ asset, className }: AssetPreviewProps) {
  const frame = classes('block aspect-[4/5] w-full bg-sunken object-contain', className)
  if (asset?.thumbnail_url) return <img src={asset.thumbnail_url} alt="" loading="lazy" className={frame} />
  return (
    <span className={classes(frame, 'grid place-items-center p-2 text-center text-muted text-sm')}>
      {asset && (
        <span className="grid justify-items-center gap-1.5 break-all">
          <FileText aria-hidden className="size-5" />
          {titleOf(asset)}
        </span>
      )}
    </span>
  )
}
