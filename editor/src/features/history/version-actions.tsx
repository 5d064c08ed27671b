import { useMutation } from '@tanstack/react-query'
import { Ban, Play } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { useSession } from '@/document/use-session'
import { restoreVersion, withdrawVersion } from '@/lib/api/versions'
import { useExclusiveMutate } from '@/lib/attempt'
import { invalidateFlows } from '@/lib/query-client'
import { toastError, toastSuccess } from '@/lib/toasts'

/** Restores a history entry as the draft. */
export function RestoreButton({
  version,
  name,
  onDone,
}: {
  version: string
  name: string
  onDone: () => void
}) {
  const { t } = useTranslation('history')
  const session = useSession()
  const restore = useMutation({
    mutationFn: async () => {
      await session.saver.save()
      await restoreVersion(session.flowId, version)
      await session.reload()
    },
    onSuccess: () => {
      void invalidateFlows()
      toastSuccess(t('restored', { name }))
      onDone()
    },
    onError: (error) => toastError(t('restoreFailed'), error),
  })
  const press = useExclusiveMutate(restore)
  return (
    <Button size="sm" busy={restore.isPending} onClick={() => void press()}>
      {t('restore', { name })}
    </Button>
  )
}

/** Runs a published version and shows the run on the canvas, even if the draft differs. */
export function RunVersionButton({ number, onStarted }: { number: number; onStarted: () => void }) {
  const { t } = useTranslation('history')
  const session = useSession()
  const start = useMutation({
    mutationFn: () => session.runner.start({ inputs: {}, reuse: 'changed', version: number }),
    onSuccess: onStarted,
    onError: (error) => toastError(t('runFailed'), error),
  })
  const press = useExclusiveMutate(start)
  return (
    <Button size="sm" busy={start.isPending} className="max-sm:px-2.5" onClick={() => void press()}>
      <Play />
      <span className="max-sm:sr-only">{t('run', { name: t('version', { number }) })}</span>
    </Button>
  )
}

/** Withdraws a published version, after a question that says what happens to those who use it. */
export function WithdrawButton({ number }: { number: number }) {
  const { t } = useTranslation('history')
  const session = useSession()
  const [asking, setAsking] = useState(false)
  const name = t('version', { number })
  const withdraw = useMutation({
    mutationFn: () => withdrawVersion(session.flowId, String(number)),
    onSuccess: () => {
      void invalidateFlows()
      toastSuccess(t('withdrawn', { name }))
      setAsking(false)
    },
    onError: (error) => toastError(t('withdrawFailed'), error),
  })
  const press = useExclusiveMutate(withdraw)
  return (
    <>
      <Button size="sm" className="max-sm:px-2.5" onClick={() => setAsking(true)}>
        <Ban />
        <span className="max-sm:sr-only">{t('withdraw', { name })}</span>
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        size="sm"
        title={t('withdrawTitle', { name })}
        description={t('withdrawHelp')}
        footer={
          <>
            <Button variant="ghost" onClick={() => setAsking(false)}>
              {t('cancel', { ns: 'common' })}
            </Button>
            <Button variant="danger" busy={withdraw.isPending} onClick={() => void press()}>
              {t('withdraw', { name })}
            </Button>
          </>
        }
      >
        {null}
      </Dialog>
    </>
  )
}
