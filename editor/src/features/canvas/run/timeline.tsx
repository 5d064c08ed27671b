import { ChevronDown, ChevronUp, RotateCcw, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { RunChip } from '@/components/chip'
import { IconButton } from '@/components/icon-button'
import { faceOf } from '@/components/node/face'
import { useChecks, useLive, useRunner, useSession, useView } from '@/document/use-session'
import { classes } from '@/lib/classes'
import { dollars, seconds } from '@/lib/format'
import { pigmentFill, pigmentOf } from '@/lib/pigments'
import { type Lane, timeline } from '@/lib/run/lanes'
import { isOver, type RunState } from '@/lib/run/types'
import { toastError } from '@/lib/toasts'
import { useRunClock } from './use-elapsed'

/** The run on the canvas as a timeline: a lane a step, in its pigment, with money and time. */
export function RunDock() {
  const { t } = useTranslation('canvas')
  const run = useRunner((state) => state.run)
  const status = useLive((live) => live.status)
  const unfolded = useView((view) => view.dock)
  const session = useSession()
  if (!run) return null
  return (
    <section
      ref={tellHeight}
      aria-label={t('run.title', { number: run.number })}
      className="pointer-events-auto flex max-h-[42vh] flex-col rounded-[16px] border border-hairline bg-surface px-3.5 py-3 shadow-card"
    >
      <header className="flex min-h-7 items-center gap-2.5">
        <strong className="font-semibold">{t('run.title', { number: run.number })}</strong>
        <RunChip status={status} />
        <span className="min-w-0 flex-1 truncate text-right font-mono text-[11.5px] text-muted">
          <Totals />
        </span>
        {isOver(status) && status !== 'finished' && run.can_resume && session.canEdit && <ResumeButton />}
        <IconButton
          size="sm"
          label={unfolded ? t('run.collapse') : t('run.expand')}
          icon={unfolded ? <ChevronDown /> : <ChevronUp />}
          onClick={() => session.view.setState({ dock: !unfolded })}
        />
        {isOver(status) && (
          <IconButton size="sm" label={t('run.close')} icon={<X />} onClick={() => session.runner.clear()} />
        )}
      </header>
      {unfolded && <Lanes />}
    </section>
  )
}

/** What lies at the foot of the canvas keeps clear of the dock. */
function tellHeight(dock: HTMLElement | null) {
  if (!dock) return
  const root = document.documentElement.style
  const watch = new ResizeObserver(() => root.setProperty('--dock-height', `${dock.offsetHeight + 16}px`))
  watch.observe(dock)
  return () => {
    watch.disconnect()
    root.removeProperty('--dock-height')
  }
}

function ResumeButton() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  return (
    <Button
      size="sm"
      onClick={() =>
        void session.runner.resume().catch((error: unknown) => toastError(t('run.failedToStart'), error))
      }
    >
      <RotateCcw />
      {t('run.resume')}
    </Button>
  )
}

/** What was spent and what is still to come. */
function Totals() {
  const { t } = useTranslation('canvas')
  const cost = useLive((live) => live.costUsd)
  const over = useLive((live) => isOver(live.status))
  const took = useLive((live) => live.seconds)
  const startedAt = useLive((live) => live.startedAt)
  const estimate = useChecks((checks) => checks.estimate)
  const now = useRunClock(1000)
  const told: string[] = [t('run.spent', { cost: dollars(cost) })]
  if (over && took !== null) told.push(seconds(took))
  if (!over && Number(estimate?.usd ?? 0) > cost) told.push(t('run.inAll', { cost: dollars(estimate?.usd) }))
  const left = (estimate?.seconds ?? 0) - (now - (startedAt ?? now))
  if (!over && left >= 1) told.push(t('run.left', { time: seconds(Math.ceil(left)) }))
  return told.join(' · ')
}

/** Redrawn by the clock and not by events, and no more rows than can be seen: a run may have thousands of steps. */
function Lanes() {
  const { catalogue, runner } = useSession()
  const now = useRunClock(250)
  const [from, setFrom] = useState(0)
  const live = runner.live.getState()
  const { lanes, seconds: length } = timeline(live, now)
  const worked = lanes.filter((lane) => (catalogue.type(lane.nodeType)?.input ?? null) === null)
  const shown = worked.slice(from, from + ROWS_IN_SIGHT)
  return (
    <ol
      onScroll={(event) => setFrom(Math.floor(event.currentTarget.scrollTop / ROW))}
      className="scrollbar-quiet mt-2 min-h-0 overflow-y-auto"
    >
      <li aria-hidden style={{ height: from * ROW }} />
      {shown.map((lane) => (
        <LaneRow key={lane.id} lane={lane} length={length} live={live} />
      ))}
      <li aria-hidden style={{ height: Math.max(0, worked.length - from - ROWS_IN_SIGHT) * ROW }} />
    </ol>
  )
}

const ROW = 25
const ROWS_IN_SIGHT = 24

function LaneRow({ lane, length, live }: { lane: Lane; length: number; live: RunState }) {
  const { t } = useTranslation('canvas')
  const { view, catalogue, document } = useSession()
  const fill = pigmentFill[pigmentOf(faceOf(catalogue.type(lane.nodeType)).type)]
  const share = (part: number) => `${(part / length) * 100}%`
  const node = lane.id.split('/')[0] ?? lane.id
  const known = document.nodes.some((one) => one.id === node)
  const cost = live.steps[lane.id]?.costUsd ?? 0
  const measures = [lane.cached ? t('node.reused') : seconds(lane.length), cost > 0 && dollars(cost)]
  return (
    <li className="flex h-[25px] items-center">
      <button
        type="button"
        disabled={!known}
        aria-label={t('run.lane', { title: lane.title, status: t(`node.${laneStatus(lane)}`) })}
        title={measures.filter(Boolean).join(' · ')}
        onClick={() => view.show(node, 'result')}
        className="w-[116px] flex-none truncate pr-2 text-left font-medium text-[11.5px] text-muted hover:text-ink"
      >
        {lane.title}
      </button>
      <span aria-hidden className="relative h-3 flex-1">
        <i
          style={{ left: share(lane.start), width: share(lane.length) }}
          className={classes(
            'absolute h-3 min-w-1 rounded-[4px]',
            lane.status === 'failed' ? 'bg-madder' : fill,
            (lane.cached || lane.status === 'cancelled') && 'opacity-40',
          )}
        />
        {lane.expected > 0 && (
          <i
            style={{ left: share(lane.start + lane.length), width: share(lane.expected) }}
            className={classes('absolute ml-0.5 h-3 rounded-[4px] opacity-22', fill)}
          />
        )}
      </span>
    </li>
  )
}

function laneStatus(lane: Lane) {
  return lane.status === 'pending' ? 'queued' : lane.status
}
