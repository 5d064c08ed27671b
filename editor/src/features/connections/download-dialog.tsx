import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { LoadError } from '@/components/load-error'
import { type Download, downloadDetailsQuery, startDownload } from '@/lib/api/downloads'
import { useExclusiveMutate } from '@/lib/attempt'
import { bytes } from '@/lib/format'
import { toastError } from '@/lib/toasts'

type DownloadDialogProps = { provider: string; model: Download; onClose: () => void }

/** Shows licence, size and SHA-256 of a model as its hub states them, and downloads exactly that file. */
export function DownloadDialog({ provider, model, onClose }: DownloadDialogProps) {
  const { t } = useTranslation('connections')
  const { data, isError, error, refetch } = useQuery(downloadDetailsQuery(provider, model.name))
  const start = useMutation({
    mutationFn: (sha256: string) => startDownload(provider, model.name, sha256),
    onSuccess: onClose,
    onError: (reason) => toastError(t('downloads.startFailed', { name: model.title }), reason),
  })
  const press = useExclusiveMutate(start)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title={t('downloads.dialogTitle', { name: model.title })}
      description={t('downloads.dialogHelp')}
      footer={
        <Button
          variant="primary"
          busy={start.isPending}
          disabled={!data}
          onClick={() => data && void press(data.sha256)}
        >
          {t('downloads.download')}
        </Button>
      }
    >
      {isError && <LoadError text={error.message} onRetry={() => void refetch()} />}
      {!data && !isError && (
        <p role="status" className="text-muted">
          {t('downloads.asking')}
        </p>
      )}
      {data && (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
          <dt className="text-muted">{t('downloads.licence')}</dt>
          <dd>{data.licence || t('downloads.unknownLicence')}</dd>
          <dt className="text-muted">{t('downloads.bytes')}</dt>
          <dd>{bytes(data.bytes)}</dd>
          <dt className="text-muted">{t('downloads.hash')}</dt>
          <dd className="break-all font-mono text-xs">{data.sha256}</dd>
          <dt className="text-muted">{t('downloads.source')}</dt>
          <dd className="break-all font-mono text-xs">{data.url}</dd>
        </dl>
      )}
    </Dialog>
  )
}
