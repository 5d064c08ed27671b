import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { RunnerState } from '@/document/runner'
import { useSession } from '@/document/use-session'
import type { RunState } from '@/lib/run/types'
import { toastError } from '@/lib/toasts'

/** The comparison that is shown. */
export function useComparer<T>(select: (state: RunnerState) => T): T {
  return useStore(useSession().comparer.store, select)
}

/** The live state of its run. */
export function useComparisonRun<T>(select: (state: RunState) => T): T {
  return useStore(useSession().comparer.live, select)
}

/** Runs the variants again that did not finish. */
export function useRetry(): () => void {
  const { t } = useTranslation('compare')
  const { comparer } = useSession()
  return () => void comparer.resume().catch((error: unknown) => toastError(t('retryFailed'), error))
}

/** The letter of a variant by its place; the first has the node's own settings. */
export function letterOf(index: number): string {
  return String.fromCharCode(65 + index)
}
