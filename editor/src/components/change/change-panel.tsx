import '@/lib/i18n/change'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Brush, ChevronLeft, ChevronRight, Crop, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createVersion, undoVersion, type VersionRequest, versionsQuery } from '@/lib/api/asset-versions'
import type { Asset } from '@/lib/api/assets'
import { useAttempt, wasRejected } from '@/lib/attempt'
import { toast, toastError, toastSuccess } from '@/lib/toasts'
import { Button } from '../button'
import { IconButton } from '../icon-button'
import { LoadError } from '../load-error'
import { LazyMaskedEdit } from '../mask/lazy-masked-edit'
import { Skeleton } from '../surfaces'
import { CropDialog } from './crop-dialog'
import { LayoutForm } from './layout-form'

type ChangePanelProps = {
  /** The newest version of an image. */
  asset: Asset
  /** The version that is shown; null for the newest. */
  shown: Asset | null
  onShow: (version: Asset | null) => void
}

/** Changes an image, and steps through its versions. */
export default function ChangePanel({ asset, shown, onShow }: ChangePanelProps) {
  const { t } = useTranslation(['change', 'common'])
  const { data, error, refetch } = useQuery(versionsQuery(asset.id))
  const [cropping, setCropping] = useState(false)
  const [masking, setMasking] = useState(false)
  const attempt = useAttempt()
  const undoing = useMutation({
    mutationFn: undoVersion,
    onSuccess: () => {
      onShow(null)
      toastSuccess(t('undone'))
    },
    onError: (failure) => toastError(t('undoFailed'), failure),
  })
  const making = useMutation({
    mutationFn: (body: VersionRequest) =>
      createVersion(asset.id, body, attempt.keyOf({ id: asset.id, body })),
    onSuccess: (made) => {
      attempt.done()
      setCropping(false)
      onShow(null)
      toast({
        title: t('made'),
        tone: 'success',
        action: { label: t('common:undo'), onPress: () => undoing.mutate(made.id) },
      })
    },
    onError: (failure) => {
      if (wasRejected(failure)) attempt.done()
      toastError(t('failed'), failure)
    },
  })

  const make = (body: VersionRequest) => making.isPending || making.mutate(body)
  const older = shown && shown.id !== asset.id ? shown : null
  return (
    <section aria-label={t('title')} className="flex flex-col gap-3.5">
      <div>
        <h3 className="font-semibold">{t('title')}</h3>
        <p className="text-muted text-xs">{t('help')}</p>
      </div>
      {error && <LoadError text={t('notLoaded')} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-20" />}
      {data && data.items.length > 1 && (
        <Versions
          items={data.items}
          current={older ?? asset}
          onShow={onShow}
          onUndo={data.can_undo ? () => undoing.isPending || undoing.mutate(asset.id) : null}
        />
      )}
      {data && older && (
        <div className="flex flex-wrap items-center gap-2.5">
          <p className="text-muted text-sm">{t('older')}</p>
          <Button size="sm" busy={making.isPending} onClick={() => make({ restore: older.id })}>
            {t('useAgain')}
          </Button>
        </div>
      )}
      {!older && (
        <div className="flex flex-wrap gap-2">
          {data?.can_crop && (
            <Button size="sm" onClick={() => setCropping(true)}>
              <Crop aria-hidden />
              {t('crop')}
            </Button>
          )}
          <Button size="sm" onClick={() => setMasking(true)}>
            <Brush aria-hidden />
            {t('mask')}
          </Button>
        </div>
      )}
      {data?.layout && !older && (
        <LayoutForm
          key={asset.id}
          layout={data.layout}
          busy={making.isPending}
          onMake={(layout) => make({ layout })}
        />
      )}
      {masking && <LazyMaskedEdit imageId={asset.id} onClose={() => setMasking(false)} />}
      {cropping && (
        <CropDialog
          asset={asset}
          busy={making.isPending}
          onCancel={() => setCropping(false)}
          onCrop={(crop) => make({ crop })}
        />
      )}
    </section>
  )
}

type VersionsProps = {
  items: readonly Asset[]
  current: Asset
  onShow: (version: Asset | null) => void
  onUndo: (() => void) | null
}

function Versions({ items, current, onShow, onUndo }: VersionsProps) {
  const { t } = useTranslation('change')
  const index = items.findIndex(({ id }) => id === current.id)
  const go = (to: number) => onShow(to === items.length - 1 ? null : (items[to] ?? null))
  return (
    <fieldset className="flex items-center gap-1.5">
      <legend className="sr-only">{t('versions')}</legend>
      <IconButton
        size="sm"
        label={t('earlier')}
        icon={<ChevronLeft />}
        disabled={index <= 0}
        onClick={() => go(index - 1)}
      />
      <p aria-live="polite" className="min-w-28 text-center text-sm">
        {t('version', { number: index + 1, of: items.length })}
      </p>
      <IconButton
        size="sm"
        label={t('later')}
        icon={<ChevronRight />}
        disabled={index >= items.length - 1}
        onClick={() => go(index + 1)}
      />
      {onUndo && (
        <Button size="sm" variant="ghost" className="ml-auto" onClick={onUndo}>
          <Undo2 aria-hidden />
          {t('undo')}
        </Button>
      )}
    </fieldset>
  )
}
