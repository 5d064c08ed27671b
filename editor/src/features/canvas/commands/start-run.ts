import type { TFunction } from 'i18next'
import { startRun } from '@/document/run-actions'
import type { Session } from '@/document/session'
import { isApiError } from '@/lib/api/error'
import { toastError } from '@/lib/toasts'

/** Starts a run unless one is running; shows why it could not start. */
export async function run(
  session: Session,
  t: TFunction<'canvas'>,
  order: Parameters<typeof startRun>[1] = {},
): Promise<void> {
  if (session.runner.running) return
  try {
    await startRun(session, order)
  } catch (error) {
    if (isApiError(error, 'quota_exceeded') || isApiError(error, 'private_beta')) {
      return session.view.setState({ launchError: error })
    }
    toastError(t('run.failedToStart'), error)
  }
}
