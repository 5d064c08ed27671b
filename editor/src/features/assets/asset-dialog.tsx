import { Link } from '@tanstack/react-router'
import { Download, FolderPlus, Images, Sparkle, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AssetLabels } from '@/components/asset/lazy-labels'
import { Button } from '@/components/button'
import { ChangePanel } from '@/components/change/lazy-panel'
import { CredentialsPanel } from '@/components/credentials/lazy-panel'
import { Dialog } from '@/components/dialog'
import type { Asset } from '@/lib/api/assets'
import { titleOf } from '@/lib/asset-title'
import { bytes, moment, seconds } from '@/lib/format'
import { modelLabel } from '@/lib/humanize'
import { AssetContent } from './asset-content'
import { useNewestVersion } from './use-newest-version'

type AssetDialogProps = {
  asset: Asset | null
  onClose: () => void
  onDownload: (asset: Asset) => void
  onDelete: (asset: Asset) => void
  onSend: (asset: Asset) => void
  onCollect: (asset: Asset) => void
}

/** One asset with its details and actions. */
export function AssetDialog({
  asset: listed,
  onClose,
  onDownload,
  onDelete,
  onSend,
  onCollect,
}: AssetDialogProps) {
  const { t } = useTranslation('assets')
  const asset = useNewestVersion(listed)
  const [version, setVersion] = useState<{ of: string; asset: Asset } | null>(null)
  const older = version && version.of === asset?.id ? version.asset : null
  return (
    <Dialog
      open={asset !== null}
      onOpenChange={(open) => !open && onClose()}
      title={<span className="break-words">{asset && titleOf(asset)}</span>}
      description={asset ? factsOf(asset) : undefined}
      size="lg"
      footer={
        asset && (
          <>
            <Button variant="ghost" className="mr-auto text-madder-text" onClick={() => onDelete(asset)}>
              <Trash2 aria-hidden />
              {t('delete')}
            </Button>
            {asset.run_id && (
              <Button asChild>
                <Link to="/run/$runId" params={{ runId: asset.run_id }}>
                  <Images aria-hidden />
                  {t('openRun')}
                </Link>
              </Button>
            )}
            <Button onClick={() => onDownload(asset)}>
              <Download aria-hidden />
              {t('download')}
            </Button>
            {asset.kind !== 'text' && (
              <Button variant="primary" onClick={() => onSend(asset)}>
                <Sparkle aria-hidden />
                {t('send')}
              </Button>
            )}
          </>
        )
      }
    >
      {asset && <AssetContent asset={older ?? asset} />}
      {asset && (
        <div className="flex items-start gap-2.5">
          <AssetLabels asset={asset} />
          <Button size="sm" variant="ghost" className="ml-auto flex-none" onClick={() => onCollect(asset)}>
            <FolderPlus aria-hidden />
            {t('addToCollection')}
          </Button>
        </div>
      )}
      {asset?.kind === 'image' && (
        <div className="border-hairline border-t pt-4">
          <ChangePanel
            asset={asset}
            shown={older}
            onShow={(shown) => setVersion(shown && { of: asset.id, asset: shown })}
          />
        </div>
      )}
      {asset?.made_by?.prompt && <p className="text-muted">{asset.made_by.prompt}</p>}
      {asset && asset.kind !== 'text' && (
        <CredentialsPanel asset={asset} className="mt-2 border-hairline border-t pt-4" />
      )}
    </Dialog>
  )
}

function factsOf(asset: Asset): string {
  const facts = [
    asset.width && asset.height ? `${asset.width} × ${asset.height}` : null,
    asset.seconds ? seconds(asset.seconds) : null,
    bytes(asset.bytes),
    moment(asset.created_at),
    asset.made_by?.model && modelLabel(asset.made_by.model),
  ]
  return facts.filter(Boolean).join(', ')
}
