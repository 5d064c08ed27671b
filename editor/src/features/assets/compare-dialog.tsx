import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog'
import type { Asset } from '@/lib/api/assets'
import { AssetContent } from './asset-content'
import { titleOf } from './asset-title'

type CompareDialogProps = { pair: readonly Asset[]; onClose: () => void }

/** Two assets side by side, of the same run or of different ones. */
export function CompareDialog({ pair, onClose }: CompareDialogProps) {
  const { t } = useTranslation('assets')
  return (
    <Dialog
      open={pair.length === 2}
      onOpenChange={(open) => !open && onClose()}
      title={t('compareTitle')}
      size="xl"
    >
      <div className="grid grid-cols-2 gap-3 sm:gap-4">
        {pair.map((asset) => (
          <figure key={asset.id} className="min-w-0">
            <AssetContent asset={asset} />
            <figcaption className="wrap-anywhere mt-2">
              <span className="font-semibold">{titleOf(asset)}</span>
              {asset.flow_name && <span className="block text-muted text-sm">{asset.flow_name}</span>}
              <p className="line-clamp-3 text-muted text-sm">{asset.made_by?.prompt}</p>
            </figcaption>
          </figure>
        ))}
      </div>
    </Dialog>
  )
}
