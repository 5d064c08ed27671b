import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, CircleSlash, CloudOff, History, RotateCcw, X } from 'lucide-react'
import { useDeferredValue, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { RunChip } from '@/components/chip'
import { IconButton } from '@/components/icon-button'
import { isRunCurrent } from '@/document/run-staleness'
import { useChecks, useDocument, useLive, useRunner, useSession, useView } from '@/document/use-session'
import { brandsQuery, versionsOf } from '@/lib/api/brands'
import { useOnline } from '@/lib/browser-hooks'
import { dollars, seconds } from '@/lib/format'
import { isOver } from '@/lib/run/types'
import { toastError } from '@/lib/toasts'
import { RunTimeline } from '../panels/lazy-panels'
import { RunStrip } from './run-strip'
import { useRunClock } from './use-run-clock'

/** The run on the canvas: its status, cost and time beside a strip of its steps; the timeline on demand. */
export function RunDock() {
  const { t } = useTranslation('canvas')
  const run = useRunner((state) => state.run)
  const status = useLive((live) => live.status)
  const unfolded = useView((view) => view.hasTimeline)
  const session = useSession()
  const refused = useView((view) => view.refused)
  if (refused) return <RefusedRun />
  if (!run) return null
  return (
    <section
      ref={useReportHeight}
      data-region="run"
      aria-label={t('run.title', { number: run.number })}
      className="pointer-events-auto flex max-h-[36vh] flex-col rounded-[16px] border border-hairline bg-surface px-4 py-2.5 shadow-card"
    >
      <header className="flex min-h-8 flex-wrap items-center gap-x-2.5">
        <strong className="whitespace-nowrap font-semibold">{t('run.title', { number: run.number })}</strong>
        <RunChip status={status} />
        <span className="min-w-0 truncate font-mono text-[11.5px] text-muted max-sm:order-last max-sm:basis-full max-sm:pt-1">
          <Totals />
        </span>
        <span className="min-w-8 flex-1">{!unfolded && <RunStrip />}</span>
        {isOver(status) && status !== 'finished' && run.can_resume && session.canEdit && <ResumeButton />}
        <span className="flex flex-none max-sm:ml-auto">
          <IconButton
            size="sm"
            label={t('run.past')}
            icon={<History />}
            onClick={() => session.view.open('runs')}
          />
          <IconButton
            size="sm"
            label={unfolded ? t('run.collapse') : t('run.expand')}
            icon={unfolded ? <ChevronDown /> : <ChevronUp />}
            onClick={() => session.view.setState({ hasTimeline: !unfolded })}
          />
          {isOver(status) && (
            <IconButton
              size="sm"
              label={t('run.close')}
              icon={<X />}
              onClick={() => session.runner.clear()}
            />
          )}
        </span>
      </header>
      <Connection />
      <ChangedNotice />
      <FailureReason />
      {unfolded && <RunTimeline />}
    </section>
  )
}

/** Takes the place of the run when the server has refused it. */
function RefusedRun() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const count = useChecks(({ problems }) => problems.filter(({ severity }) => severity === 'error').length)
  return (
    <section
      ref={useReportHeight}
      data-region="run"
      aria-label={t('run.refused')}
      className="pointer-events-auto flex min-h-[52px] flex-wrap items-center gap-x-3 gap-y-1 rounded-[16px] border border-hairline bg-surface px-4 py-2 shadow-card"
    >
      <strong className="flex items-center gap-2 font-semibold text-madder-text">
        <CircleSlash aria-hidden className="size-4" />
        {t('run.refused')}
      </strong>
      <p className="min-w-0 flex-1 text-muted text-sm">
        {count > 0 ? t('run.solve', { count }) : t('run.solved')}
      </p>
      {count > 0 && (
        <Button size="sm" onClick={() => session.view.open('problems')}>
          {t('run.showProblems')}
        </Button>
      )}
      <IconButton
        size="sm"
        label={t('run.close')}
        icon={<X />}
        onClick={() => session.view.setState({ refused: false })}
      />
    </section>
  )
}

/** Keeps the controls at the bottom of the canvas clear of the dock. */
function useReportHeight(dock: HTMLElement | null) {
  if (!dock) return
  const root = document.documentElement.style
  const watch = new ResizeObserver(() => root.setProperty('--dock-height', `${dock.offsetHeight + 16}px`))
  watch.observe(dock)
  return () => {
    watch.disconnect()
    root.removeProperty('--dock-height')
  }
}

/** Notice for a lost event connection: the run continues, and the events are read after reconnecting. */
function Connection() {
  const { t } = useTranslation('canvas')
  const over = useLive((live) => isOver(live.status))
  const lost = useRunner((state) => state.isDisconnected)
  const online = useOnline()
  const words = online ? (lost ? t('run.reconnecting') : '') : t('run.offline')
  return (
    <p role="status" className="mt-1 flex items-center gap-2 text-ochre-text text-sm empty:hidden">
      {!over && words && (
        <>
          <CloudOff aria-hidden className="size-4" />
          {words}
        </>
      )}
    </p>
  )
}

/** Notice that the document has changed since the run. */
function ChangedNotice() {
  const { t } = useTranslation('canvas')
  const run = useRunner((state) => state.run)
  const over = useLive((live) => isOver(live.status))
  const drawn = useDeferredValue(useDocument((flow) => flow))
  const { data: brands } = useQuery({ ...brandsQuery, enabled: (run?.brands ?? []).length > 0 })
  const changed = useMemo(
    () => over && run !== null && !isRunCurrent(run, drawn, versionsOf(brands)),
    [over, run, drawn, brands],
  )
  return changed ? <p className="mt-1 text-muted text-xs">{t('run.outdated')}</p> : null
}

/** The error of a run that no step explains, such as an exceeded budget or time limit. */
function FailureReason() {
  const { t } = useTranslation('canvas')
  const { canEdit } = useSession()
  const error = useLive((live) => (live.status === 'failed' ? live.error : null))
  const isShownOnCard = useLive((live) =>
    live.order.some((id) => live.steps[id]?.error?.message === error?.message),
  )
  if (!error || isShownOnCard) return null
  return <p className="mt-1 text-madder-text text-sm">{canEdit ? error.message : t('node.error')}</p>
}

function ResumeButton() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const busy = useRunner((state) => state.busy !== null)
  return (
    <Button
      size="sm"
      busy={busy}
      onClick={() =>
        void session.runner.resume().catch((error: unknown) => toastError(t('run.failedToStart'), error))
      }
    >
      <RotateCcw />
      {t('run.resume')}
    </Button>
  )
}

/** The cost so far and the estimated remainder. */
function Totals() {
  const { t } = useTranslation('canvas')
  const cost = useLive((live) => live.costUsd)
  const over = useLive((live) => isOver(live.status))
  const took = useLive((live) => live.seconds)
  const startedAt = useLive((live) => live.startedAt)
  const estimate = useChecks((checks) => checks.estimate)
  const now = useRunClock(1000)
  const parts: string[] = [t('run.spent', { cost: dollars(cost) })]
  if (over && took !== null) parts.push(seconds(took))
  if (!over && Number(estimate?.usd ?? 0) > cost) parts.push(t('run.total', { cost: dollars(estimate?.usd) }))
  const left = (estimate?.seconds ?? 0) - (now - (startedAt ?? now))
  if (!over && left >= 1) parts.push(t('run.left', { time: seconds(Math.ceil(left)) }))
  return parts.join(' · ')
}
