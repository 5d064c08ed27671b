import { useQuery } from '@tanstack/react-query'
import { type Asset, assetsQuery, imageUrl } from '@/lib/api/assets'
import { classes } from '@/lib/classes'

type MaskOverImageProps = {
  /** The asset of a mask. */
  mask: Asset
  alt: string
  /** Whether a thumbnail is sharp enough. */
  small?: boolean
  onLoad?: () => void
  /** The look of the image. */
  className?: string
}

/** The masked part in the accent colour, over the image that the mask was made of, or a checkered ground without it. */
export function MaskOverImage({ mask, alt, small, onLoad, className }: MaskOverImageProps) {
  const sources = mask.input_asset_ids
  const { data, isLoading } = useQuery({ ...assetsQuery(sources), enabled: sources.length > 0 })
  const urlOf = (asset: Asset) => (small && asset.thumbnail_url) || imageUrl(asset)
  const image = data?.find((asset) => asset.kind === 'image' && hasShapeOf(asset, mask))
  const shown = {
    width: mask.width ?? undefined,
    height: mask.height ?? undefined,
    decoding: 'async' as const,
    onLoad,
  }
  if (isLoading) return <span className={classes('media-placeholder block', className)} />
  const url = `url("${urlOf(mask)}")`
  return (
    <span className="relative block size-full">
      {image ? (
        <img {...shown} src={urlOf(image)} alt={alt} className={className} />
      ) : (
        <>
          <img {...shown} src={urlOf(mask)} alt={alt} className={classes('opacity-0', className)} />
          <span aria-hidden className="checkered absolute inset-0" />
        </>
      )}
      <span
        aria-hidden
        data-mask-shape
        style={{
          maskImage: url,
          WebkitMaskImage: url,
          maskMode: 'luminance',
          maskSize: '100% 100%',
        }}
        className="absolute inset-0 bg-cobalt opacity-70"
      />
    </span>
  )
}

const NEAR = 0.02

function hasShapeOf(image: Asset, mask: Asset): boolean {
  if (!image.width || !image.height || !mask.width || !mask.height) return false
  return Math.abs((image.width * mask.height) / (image.height * mask.width) - 1) < NEAR
}
