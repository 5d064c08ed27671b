import { ArrowUpRight, Copy, Download, Ellipsis, FileDown, FileJson, ShieldCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { IconButton } from '@/components/icon-button'
import { Menu, MenuItem } from '@/components/menu'
import { assetBytes, exportUrl } from '@/lib/api/asset-files'
import type { Asset, AssetCredentials } from '@/lib/api/assets'
import { copyText } from '@/lib/clipboard'
import { saveBlob } from '@/lib/files/download'
import { fileStem } from '@/lib/files/file-names'
import { ago } from '@/lib/format'
import { toastError } from '@/lib/toasts'

const CHECKER = 'https://verify.contentauthenticity.org/'

type PanelActionsProps = {
  asset: Asset
  credentials: AssetCredentials
  checkedAt: number
  checking: boolean
  onVerify: () => void
}

/** Verifying and downloading the file, and its report. */
export function PanelActions({ asset, credentials, checkedAt, checking, onVerify }: PanelActionsProps) {
  const { t } = useTranslation('credentials')
  const { state, location } = credentials
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-1 gap-y-2">
        <Button size="sm" busy={checking} onClick={onVerify}>
          <ShieldCheck aria-hidden />
          {t('verify')}
        </Button>
        {state !== 'none' && (
          <Button size="sm" variant="ghost" asChild>
            <a href={CHECKER} target="_blank" rel="noreferrer">
              <ArrowUpRight aria-hidden />
              {t('checker')}
            </a>
          </Button>
        )}
      </div>
      <p role="status" className="text-muted text-xs">
        {t(`checked.${state}`, { when: ago(checkedAt) })}
      </p>
      {state !== 'none' && (
        <div className="flex items-center gap-2">
          {state === 'invalid' ? (
            <span className="flex-1" />
          ) : (
            <Button variant="primary" className="min-w-0 flex-1" asChild>
              <a href={exportUrl(asset)} download={asset.name || asset.id}>
                <Download aria-hidden />
                {t(location === 'sidecar' ? 'downloadFile' : 'download')}
              </a>
            </Button>
          )}
          <MoreMenu asset={asset} credentials={credentials} />
        </div>
      )}
    </>
  )
}

function MoreMenu({ asset, credentials }: Pick<PanelActionsProps, 'asset' | 'credentials'>) {
  const { t } = useTranslation('credentials')
  const name = asset.name || asset.id
  const report = JSON.stringify(credentials, null, 2)
  const saveUnmarked = async () => saveBlob(new Blob([await assetBytes(asset)]), name)
  return (
    <Menu
      side="top"
      trigger={
        <IconButton
          variant="quiet"
          label={t('more.label')}
          tooltip={false}
          icon={<Ellipsis />}
          className="flex-none"
        />
      }
    >
      {asset.export_url && (
        <MenuItem
          icon={<FileDown />}
          onSelect={() => void saveUnmarked().catch((error) => toastError(t('more.failed'), error))}
        >
          {t('more.unmarked')}
        </MenuItem>
      )}
      <MenuItem icon={<Copy />} onSelect={() => void copyText(report)}>
        {t('more.copy')}
      </MenuItem>
      <MenuItem
        icon={<FileJson />}
        onSelect={() =>
          saveBlob(new Blob([report], { type: 'application/json' }), `${fileStem(name)}-credentials.json`)
        }
      >
        {t('more.report')}
      </MenuItem>
    </Menu>
  )
}
