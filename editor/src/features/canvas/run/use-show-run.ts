import { useTranslation } from 'react-i18next'
import { useSession } from '@/document/use-session'
import { toastError } from '@/lib/toasts'

/** Puts a run that was on the canvas, where nodes and timeline tell it. */
export function useShowRun(): (id: string) => void {
  const { t } = useTranslation('canvas')
  const session = useSession()
  return (id) => {
    session.view.setState({ dialog: null, dock: true })
    session.runner.open(id).catch((error: unknown) => toastError(t('run.failedToOpen'), error))
  }
}
