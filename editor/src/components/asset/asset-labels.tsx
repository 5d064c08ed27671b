import '@/lib/i18n/assets'
import { useTranslation } from 'react-i18next'
import type { Asset } from '@/lib/api/assets'
import { classes } from '@/lib/classes'
import { FavouriteButton } from './favourite-button'
import { TagEditor } from './tag-editor'

type AssetLabelsProps = { asset: Asset; className?: string | undefined }

/** The star and the tags of one asset. */
export default function AssetLabels({ asset, className }: AssetLabelsProps) {
  const { t } = useTranslation('assets')
  return (
    <section aria-label={t('labels')} className={classes('flex min-w-0 items-start gap-2.5', className)}>
      <FavouriteButton asset={asset} className="flex-none bg-sunken! text-ink!" />
      <TagEditor assets={[asset]} className="min-w-0" />
    </section>
  )
}
