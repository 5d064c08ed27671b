import { useTranslation } from 'react-i18next'
import { TagEditor } from '@/components/asset/tag-editor'
import { Dialog } from '@/components/dialog'
import type { Asset } from '@/lib/api/assets'

type TagDialogProps = { assets: readonly Asset[]; onClose: () => void }

/** The tags of the selected assets. */
export function TagDialog({ assets, onClose }: TagDialogProps) {
  const { t } = useTranslation('assets')
  return (
    <Dialog
      open={assets.length > 0}
      onOpenChange={(open) => !open && onClose()}
      title={t('tagsTitle')}
      description={t('tagsHelp', { count: assets.length })}
      size="sm"
    >
      <TagEditor assets={assets} />
    </Dialog>
  )
}
