import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { assetBytes } from '@/lib/api/asset-files'
import type { Asset } from '@/lib/api/assets'
import { MaskOverImage } from './mask-over-image'
import { maskedPercent } from './masked-percent'

type MaskResultProps = {
  mask: Asset
  title: string
  /** Whether a thumbnail is sharp enough. */
  small?: boolean
}

/** A mask as people read it: what is masked, over its image, and how much of it. */
export function MaskResult({ mask, title, small }: MaskResultProps) {
  const { t } = useTranslation('common')
  const { data: percent } = useQuery({
    queryKey: ['masked-percent', mask.id],
    queryFn: async () => maskedPercent(await assetBytes(mask)),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const words =
    percent === undefined
      ? t('mask.shown')
      : percent === 0 || percent === 100
        ? t(percent === 0 ? 'mask.none' : 'mask.all')
        : t('mask.share', { percent })
  const ratio = mask.width && mask.height ? `${mask.width} / ${mask.height}` : '1'
  return (
    <figure className="flex h-full min-h-0 w-full flex-col gap-1">
      <div className="grid min-h-0 flex-1 place-items-center">
        <div
          style={{ aspectRatio: ratio }}
          className="relative max-h-full max-w-full overflow-hidden rounded-s"
        >
          <MaskOverImage
            mask={mask}
            alt={`${title}. ${words}`}
            small={small ?? false}
            className="size-full"
          />
        </div>
      </div>
      <figcaption aria-hidden className="flex-none truncate text-muted text-xs">
        {words}
      </figcaption>
    </figure>
  )
}
