import { useMemo } from 'react'
import { appearanceOf } from '@/components/node/node-appearance'
import { useChecks, useDocument, useSession } from '@/document/use-session'
import { parseEnd } from '@/graph/document'
import { indexOf } from '@/graph/graph-index'
import { classes } from '@/lib/classes'
import { type StepForecast, type TimelineBar, timeline } from '@/lib/run/timeline'
import { colorOfType, fillColorClass } from '@/lib/type-colors'
import { useRunClock } from './use-run-clock'

const STRIP_ROWS = 3

/** The steps of a run in three thin rows, for the eye only: the timeline names them. */
export function RunStrip() {
  const { catalog, runner } = useSession()
  const ahead = useForecast()
  const now = useRunClock(500)
  const { bars, seconds: length } = timeline(runner.live.getState(), now, ahead)
  const share = (part: number) => `${(part / length) * 100}%`
  return (
    <span aria-hidden className="relative block h-[18px] w-full overflow-hidden">
      {inRows(bars.filter((bar) => bar.length > 0)).map(({ bar, row }) => (
        <i
          key={bar.id}
          style={{ left: share(bar.start), width: share(bar.length), top: row * 6 + 1 }}
          className={classes(
            'absolute h-1 min-w-0.5 rounded-pill',
            bar.status === 'failed'
              ? 'bg-madder'
              : fillColorClass[colorOfType(appearanceOf(catalog.type(bar.nodeType)).type)],
          )}
        />
      ))}
    </span>
  )
}

/** Places each bar in the first row that is free at its start; the last row takes what finds none. */
function inRows(bars: readonly TimelineBar[]): { bar: TimelineBar; row: number }[] {
  const ends = Array.from({ length: STRIP_ROWS }, () => 0)
  return bars
    .toSorted((one, other) => one.start - other.start)
    .slice(0, MAX_STRIP_BARS)
    .map((bar) => {
      const free = ends.findIndex((end) => end <= bar.start)
      const row = free < 0 ? STRIP_ROWS - 1 : free
      ends[row] = Math.max(ends[row] ?? 0, bar.start + bar.length)
      return { bar, row }
    })
}

/** With more bars than this, single ones cannot be distinguished. */
const MAX_STRIP_BARS = 200

/** Estimates and labels of steps that have not started. */
export function useForecast(): StepForecast {
  const { catalog } = useSession()
  const document = useDocument((flow) => flow)
  const steps = useChecks((checks) => checks.steps)
  return useMemo(() => {
    const { incoming } = indexOf(document, catalog)
    return {
      seconds: (step) => steps[step]?.seconds ?? null,
      sources: (node) => (incoming.get(node) ?? []).map((edge) => parseEnd(edge.from).node),
    }
  }, [document, catalog, steps])
}
