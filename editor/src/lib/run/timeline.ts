import { nodeOf } from './step'
import { isOver, type RunState, type StepState } from './types'

/** A step's bar in the timeline; all values in seconds since the start of the run. */
export interface TimelineBar {
  readonly id: string
  readonly title: string
  readonly nodeType: string
  readonly status: StepState['status']
  readonly cached: boolean
  readonly start: number
  readonly length: number
  /** The expected remainder, from its progress or estimate. */
  readonly expected: number
}

export interface Timeline {
  readonly bars: readonly TimelineBar[]
  /** The length of the axis, at least up to the last bar. */
  readonly seconds: number
  readonly elapsed: number
}

/** What is known about steps before they run. */
export interface StepForecast {
  /** The estimated duration of a step. */
  seconds(step: string): number | null
  /** The dependencies of a node. */
  sources(node: string): readonly string[]
}

/** The duration of a step without an estimate. */
const DEFAULT_SECONDS = 1
const NO_FORECAST: StepForecast = { seconds: () => null, sources: () => [] }

/** The bars of a run at a time (epoch seconds): finished, running and expected ones. */
export function timeline(run: RunState, now: number, ahead: StepForecast = NO_FORECAST): Timeline {
  const begin = run.startedAt ?? now
  const over = isOver(run.status)
  const elapsed = Math.max(0, (over ? (run.finishedAt ?? now) : now) - begin)
  const ends = new Map<string, number>()
  const lanes: TimelineBar[] = []
  for (const id of run.order) {
    const step = run.steps[id]
    if (!step) continue
    const waits = () => Math.max(elapsed, ...ahead.sources(nodeOf(id)).map((node) => ends.get(node) ?? 0))
    const lane =
      step.startedAt === null ? futureBar(step, over, waits, ahead) : startedBar(step, begin, elapsed, ahead)
    lanes.push(lane)
    ends.set(nodeOf(id), Math.max(endOf(lane), ends.get(nodeOf(id)) ?? 0))
  }
  return { bars: lanes, elapsed, seconds: Math.max(elapsed, 0.001, ...lanes.map(endOf)) }
}

const endOf = ({ start, length, expected }: TimelineBar): number => start + length + expected

function startedBar(step: StepState, begin: number, elapsed: number, ahead: StepForecast): TimelineBar {
  const start = Math.max(0, (step.startedAt ?? begin) - begin)
  const end = step.finishedAt === null ? elapsed : step.finishedAt - begin
  const length = Math.max(0, end - start)
  const expected = step.status === 'running' ? remainingSeconds(step, length, ahead) : 0
  return { ...labelOf(step), start, length, expected }
}

/** Progress is more accurate than an estimate. */
function remainingSeconds({ id, progress }: StepState, length: number, ahead: StepForecast): number {
  if (progress !== null && progress > 0.05) return (length * (1 - progress)) / progress
  return Math.max(0, (ahead.seconds(id) ?? 0) - length)
}

function futureBar(step: StepState, over: boolean, waits: () => number, ahead: StepForecast): TimelineBar {
  const comes = !over && (step.status === 'pending' || step.status === 'queued')
  const expected = comes ? (ahead.seconds(step.id) ?? DEFAULT_SECONDS) : 0
  return { ...labelOf(step), start: comes ? waits() : 0, length: 0, expected }
}

function labelOf({ id, title, nodeType, status, cached }: StepState) {
  return { id, title, nodeType, status, cached }
}
