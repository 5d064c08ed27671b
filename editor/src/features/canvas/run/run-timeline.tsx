import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { appearanceOf } from '@/components/node/node-appearance'
import { useSession } from '@/document/use-session'
import { classes } from '@/lib/classes'
import { dollars, seconds } from '@/lib/format'
import { nodeOf } from '@/lib/run/step'
import { type TimelineBar, timeline } from '@/lib/run/timeline'
import { colorOfType, fillColorClass } from '@/lib/type-colors'
import { useForecast } from './run-strip'
import { useRunClock } from './use-run-clock'

const ROW_HEIGHT = 25
const VISIBLE_ROWS = 24

/** Re-renders by the clock instead of events, and only the visible rows: a run may have thousands of steps. */
export function RunTimeline() {
  const { t } = useTranslation('canvas')
  const { catalog, runner } = useSession()
  const ahead = useForecast()
  const now = useRunClock(250)
  const [from, setFrom] = useState(0)
  const live = runner.live.getState()
  const { bars, seconds: length } = timeline(live, now, ahead)
  const executed = bars.filter((lane) => (catalog.type(lane.nodeType)?.input ?? null) === null)
  const shown = executed.slice(from, from + VISIBLE_ROWS)
  return (
    <ol
      aria-label={t('run.steps')}
      onScroll={(event) => setFrom(Math.floor(event.currentTarget.scrollTop / ROW_HEIGHT))}
      className="scrollbar-quiet mt-2 min-h-0 overflow-y-auto"
    >
      <li aria-hidden style={{ height: from * ROW_HEIGHT }} />
      {shown.map((lane) => (
        <TimelineRow key={lane.id} lane={lane} length={length} cost={live.steps[lane.id]?.costUsd ?? 0} />
      ))}
      <li aria-hidden style={{ height: Math.max(0, executed.length - from - VISIBLE_ROWS) * ROW_HEIGHT }} />
    </ol>
  )
}

function TimelineRow({ lane, length, cost }: { lane: TimelineBar; length: number; cost: number }) {
  const { t } = useTranslation('canvas')
  const { view, document } = useSession()
  const node = nodeOf(lane.id)
  const known = document.nodes.some((one) => one.id === node)
  const status = t(`node.${lane.status === 'pending' ? 'queued' : lane.status}`)
  const measures = lane.cached ? [t('node.reused')] : [seconds(lane.length), cost > 0 && dollars(cost)]
  const details = lane.length > 0 || lane.cached ? measures.filter(Boolean).join(' · ') : ''
  return (
    <li className="flex h-[25px] items-center">
      <button
        type="button"
        disabled={!known}
        aria-label={[t('run.lane', { title: lane.title, status }), details].filter(Boolean).join(', ')}
        title={[status, details].filter(Boolean).join(' · ')}
        onClick={() => view.show(node, 'result')}
        className="w-[116px] flex-none truncate rounded-xs pr-2 text-left font-medium text-[11.5px] text-muted hover:text-ink"
      >
        {lane.title}
      </button>
      <Bar lane={lane} length={length} />
    </li>
  )
}

function Bar({ lane, length }: { lane: TimelineBar; length: number }) {
  const { t } = useTranslation('canvas')
  const { catalog } = useSession()
  const fill = fillColorClass[colorOfType(appearanceOf(catalog.type(lane.nodeType)).type)]
  const share = (part: number) => `${(part / length) * 100}%`
  const drawn = lane.length > 0 || lane.status === 'finished' || lane.status === 'failed'
  return (
    <span aria-hidden className="relative h-3 flex-1">
      {drawn && (
        <i
          style={{ left: share(lane.start), width: share(lane.length) }}
          className={classes(
            'absolute h-3 min-w-1 rounded-[4px]',
            lane.status === 'failed' ? 'bg-madder' : fill,
            (lane.cached || lane.status === 'cancelled') && 'opacity-40',
          )}
        />
      )}
      {lane.expected > 0 && (
        <i
          style={{ left: share(lane.start + lane.length), width: share(lane.expected) }}
          className={classes('absolute h-3 min-w-1 rounded-[4px] opacity-22', drawn && 'ml-0.5', fill)}
        />
      )}
      {!drawn && lane.expected === 0 && (
        <em className="absolute inset-y-0 left-0 text-[11px] text-faint not-italic leading-3">
          {t(`node.${lane.status === 'pending' ? 'notRun' : lane.status}`)}
        </em>
      )}
    </span>
  )
}
