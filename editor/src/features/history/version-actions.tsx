import { useMutation } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { useSession } from '@/document/use-session'
import { restoreVersion } from '@/lib/api/versions'
import { queryClient } from '@/lib/query-client'
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
      void queryClient.invalidateQueries({ queryKey: ['flows'] })
      toastSuccess(t('restored', { name }))
      onDone()
    },
    onError: (error) => toastError(t('restoreFailed'), error),
  })
  return (
    <Button size="sm" busy={restore.isPending} onClick={() => restore.mutate()}>
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
    onSuccess: () => {
      session.view.setState({ dock: true })
      onStarted()
    },
    onError: (error) => toastError(t('runFailed'), error),
  })
  return (
    <Button size="sm" busy={start.isPending} className="max-sm:px-2.5" onClick={() => start.mutate()}>
      <Play />
      <span className="max-sm:sr-only">{t('run', { name: t('version', { number }) })}</span>
    </Button>
  )
}
