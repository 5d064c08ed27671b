import { useTranslation } from 'react-i18next'
import { useLive, useRunner, useSession } from '@/document/use-session'
import { titleOf } from '@/graph/connect'
import { findNode } from '@/graph/document'
import { dollars, seconds } from '@/lib/format'
import { nodeOf } from '@/lib/run/step'
import { isOver, type RunState } from '@/lib/run/types'

/** Announces the progress of a run to screen readers. */
export function RunAnnouncer() {
  const { t } = useTranslation('keyboard')
  const number = useRunner((state) => state.run?.number)
  const over = useLive((live) => isOver(live.status))
  const done = useLive((live) => doneOf(live))
  const all = useLive((live) => live.order.length)
  const ended = useEnded(number ?? 0)
  const progress = done > 0 ? t('run.progress', { done, all }) : t('run.started', { number: number ?? 0 })
  return (
    <p aria-live="polite" className="sr-only">
      {number !== undefined && (over ? ended : progress)}
    </p>
  )
}

/** The result of the run: the failed step and its error, else the duration. */
function useEnded(number: number): string {
  const { t } = useTranslation('keyboard')
  const { t: common } = useTranslation('common')
  const { document, catalog, canEdit } = useSession()
  const status = useLive((live) => live.status)
  const took = useLive((live) => live.seconds)
  const cost = useLive((live) => live.costUsd)
  const failed = useLive((live) => live.order.find((id) => live.steps[id]?.status === 'failed'))
  const reason = useLive((live) => (failed ? (live.steps[failed]?.error?.message ?? '') : ''))
  const node = failed && findNode(document, nodeOf(failed))
  const measures = [took !== null && seconds(took), cost > 0 && dollars(cost)].filter(Boolean).join(', ')
  const words = { number, status: common(`run.${status}`) }
  const end = measures ? t('run.endedWith', { ...words, measures }) : t('run.ended', words)
  if (!node || !canEdit) return end
  return [end, t('run.failedAt', { title: titleOf(node, catalog), reason })].join(' ')
}

/** Progress rounded to quarters, so that not every step is announced. */
function doneOf({ order, steps }: RunState): number {
  const done = order.reduce((sum, id) => sum + (steps[id]?.status === 'finished' ? 1 : 0), 0)
  const quarter = Math.max(1, Math.ceil(order.length / 4))
  return Math.floor(done / quarter) * quarter
}
