import { nodeOf } from './step'
import { isOver, type RunState, type StepState } from './types'

/** A step's bar in the timeline; all measures in seconds since the run began. */
export interface TimelineBar {
  readonly id: string
  readonly title: string
  readonly nodeType: string
  readonly status: StepState['status']
  readonly cached: boolean
  readonly start: number
  readonly length: number
  /** What is still to come of it, as far as its progress or its estimate tells. */
  readonly expected: number
}

export interface Timeline {
  readonly bars: readonly TimelineBar[]
  /** The length of the axis: it never shrinks below what is shown. */
  readonly seconds: number
  readonly elapsed: number
}

/** What is known of steps before they run. */
export interface StepForecast {
  /** How long a step should take. */
  seconds(step: string): number | null
  /** The nodes that a node waits for. */
  sources(node: string): readonly string[]
}

/** A step that nothing is known of takes a moment. */
const DEFAULT_SECONDS = 1
const NO_FORECAST: StepForecast = { seconds: () => null, sources: () => [] }

/** The bars of a run at a moment (epoch seconds): what was, what is, and where what is to come should lie. */
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

/** Progress knows better than an estimate. */
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
