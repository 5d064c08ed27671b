import { useTranslation } from 'react-i18next'
import { useLive, useRunner } from '@/document/use-session'
import { isOver, type RunState } from '@/lib/run/types'

/** Tells the run's progress to whoever does not see it. */
export function RunAnnouncer() {
  const { t } = useTranslation('canvas')
  const { t: common } = useTranslation('common')
  const number = useRunner((state) => state.run?.number)
  const status = useLive((live) => live.status)
  const done = useLive((live) => doneOf(live))
  const all = useLive((live) => live.order.length)
  if (number === undefined) return <p aria-live="polite" className="sr-only" />
  const words = isOver(status)
    ? t('run.ended', { number, status: common(`run.${status}`) })
    : `${t('run.started', { number })} ${t('node.of', { done: String(done), all: String(all) })}`
  return (
    <p aria-live="polite" className="sr-only">
      {words}
    </p>
  )
}

/** Told in tenths, so that a long run is not read out step by step. */
function doneOf({ order, steps }: RunState): number {
  const done = order.reduce((sum, id) => sum + (steps[id]?.status === 'finished' ? 1 : 0), 0)
  const tenth = Math.max(1, Math.ceil(order.length / 10))
  return done === order.length ? done : Math.floor(done / tenth) * tenth
}
