import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, Download as DownloadIcon } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { LoadError } from '@/components/load-error'
import { Progress } from '@/components/progress'
import { Card } from '@/components/surfaces'
import { type Download, downloadsQuery, removeDownload } from '@/lib/api/downloads'
import { bytes } from '@/lib/format'
import { toastError } from '@/lib/toasts'
import { usePendingDeletions, withUndo } from '@/lib/with-undo'
import { DownloadDialog } from './download-dialog'

const pendingId = (name: string) => `download ${name}`

/** The models that an admin may download to the server's machine, by what they are for. */
export function DownloadsCard({ provider }: { provider: string }) {
  const { t } = useTranslation('connections')
  const { data, isError, refetch } = useQuery(downloadsQuery(provider))
  const [asked, setAsked] = useState<Download>()
  const pending = usePendingDeletions()
  if (isError) return <LoadError text={t('downloads.loadFailed')} onRetry={() => void refetch()} />
  if (!data?.length) return null
  const models = data.map((one): Download => (pending.has(pendingId(one.name)) ? offered(one) : one))
  const kinds = [...new Set(models.map(({ kind }) => kind))]
  return (
    <Card className="divide-y divide-hairline">
      {kinds.map((kind) => (
        <DownloadGroup
          key={kind}
          provider={provider}
          kind={kind}
          models={models.filter((one) => one.kind === kind)}
          onDownload={setAsked}
        />
      ))}
      {asked && <DownloadDialog provider={provider} model={asked} onClose={() => setAsked(undefined)} />}
    </Card>
  )
}

type DownloadGroupProps = {
  provider: string
  kind: string
  models: Download[]
  onDownload: (model: Download) => void
}

/** The models of one kind: those that are here, and the one that suits the machine; the others on request. */
function DownloadGroup({ provider, kind, models, onDownload }: DownloadGroupProps) {
  const { t } = useTranslation('connections')
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? models : models.filter((one) => one.state !== 'offered' || one.is_recommended)
  const id = `downloads-${kind}`
  const isCaptions = kind === 'captions'
  return (
    <section aria-labelledby={id} className="p-5">
      <h3 id={id} className="scroll-mt-20 font-semibold">
        {t(isCaptions ? 'downloads.captionsTitle' : 'downloads.title')}
      </h3>
      <p className="mt-0.5 text-muted text-sm">
        {t(isCaptions ? 'downloads.captionsHelp' : 'downloads.help')}
      </p>
      <ul className="mt-3 divide-y divide-hairline">
        {shown.map((model) => (
          <ModelRow key={model.name} provider={provider} model={model} onDownload={() => onDownload(model)} />
        ))}
      </ul>
      {shown.length < models.length && (
        <Button size="sm" variant="ghost" className="mt-2 -ml-2" onClick={() => setIsWhole(true)}>
          {t('downloads.all', { count: models.length - shown.length })}
        </Button>
      )}
    </section>
  )
}

type ModelRowProps = { provider: string; model: Download; onDownload: () => void }

function ModelRow({ provider, model, onDownload }: ModelRowProps) {
  const { t } = useTranslation('connections')
  const { name, title, state, failure } = model
  const cancel = useMutation({
    mutationFn: () => removeDownload(provider, name),
    onError: (error) => toastError(t('downloads.cancelFailed', { name: title }), error),
  })
  const amounts = { received: bytes(model.received_bytes), size: bytes(model.bytes) }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5 last:pb-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className="wrap-anywhere flex flex-wrap items-center gap-x-2 font-semibold text-sm">
          {title}
          {state === 'here' && (
            <span className="inline-flex items-center gap-1 font-normal text-muted text-xs">
              <Check aria-hidden className="size-3.5" />
              {t('downloads.here')}
            </span>
          )}
          {state === 'offered' && model.is_recommended && (
            <span className="font-normal text-muted text-xs">{t('downloads.recommended')}</span>
          )}
        </p>
        <p className="text-muted text-xs">
          {[
            t('downloads.size', { size: amounts.size, memory: bytes(model.memory_bytes) }),
            model.languages,
            model.licence,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {(state === 'downloading' || state === 'paused') && (
          <div className="mt-1.5 flex max-w-90 flex-col gap-1">
            <Progress
              value={model.received_bytes / model.bytes}
              label={t('downloads.progress', { name: title })}
            />
            <p className="text-muted text-xs">
              {t(state === 'downloading' ? 'downloads.downloading' : 'downloads.paused', amounts)}
            </p>
          </div>
        )}
        {failure && (
          <p role="status" className="mt-1 text-danger text-xs">
            {failure}
          </p>
        )}
      </div>
      <div className="flex gap-2">
        {state === 'offered' && (
          <Button size="sm" aria-label={t('downloads.downloadName', { name: title })} onClick={onDownload}>
            <DownloadIcon aria-hidden />
            {t('downloads.download')}
          </Button>
        )}
        {state === 'paused' && (
          <Button size="sm" aria-label={t('downloads.resumeName', { name: title })} onClick={onDownload}>
            {t('downloads.resume')}
          </Button>
        )}
        {state === 'downloading' && (
          <Button
            size="sm"
            aria-label={t('downloads.cancelName', { name: title })}
            aria-disabled={cancel.isPending || undefined}
            onClick={() => !cancel.isPending && cancel.mutate()}
          >
            {t('downloads.cancel')}
          </Button>
        )}
        {(state === 'here' || state === 'paused') && (
          <Button
            size="sm"
            variant="ghost"
            aria-label={t('downloads.removeName', { name: title })}
            onClick={() =>
              withUndo({
                ids: [pendingId(name)],
                title: t('downloads.removed', { name: title }),
                failed: t('downloads.removeFailed', { name: title }),
                commit: () => removeDownload(provider, name),
              })
            }
          >
            {t('downloads.remove')}
          </Button>
        )}
      </div>
    </li>
  )
}

/** A model as it is shown while its removal can still be undone. */
function offered(model: Download): Download {
  return { ...model, state: 'offered', received_bytes: 0, failure: null }
}
