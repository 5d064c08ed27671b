import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Run } from '../api/runs'
import { dismissToast, toast, toastError } from '../toasts'
import { findPendingLaunch, startPendingLaunch } from './pending-launches'

/** Continues the launch that this page had sent without a response when it was reloaded. */
export function useContinuedLaunch(onStarted: (run: Run) => void): void {
  const { t } = useTranslation('launch')
  const looked = useRef(false)
  useEffect(() => {
    if (looked.current) return
    looked.current = true
    const launch = findPendingLaunch('form')
    if (!launch) return
    const shown = toast({ title: t('continuing') })
    startPendingLaunch(launch.flowId, launch.body, launch.key).then(
      (run) => {
        dismissToast(shown)
        onStarted(run)
      },
      (error: unknown) => toastError(t('failed'), error),
    )
  })
}
