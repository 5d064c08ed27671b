import { nodeOf } from './step'
import { isOver, type RunState, type StepState } from './types'

/** A step's bar in the timeline; all measures in seconds since the run began. */
export interface Lane {
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
  readonly lanes: readonly Lane[]
  /** The length of the axis: it never shrinks below what is shown. */
  readonly seconds: number
  readonly elapsed: number
}

/** What is known of steps before they run. */
export interface Ahead {
  /** How long a step should take. */
  seconds(step: string): number | null
  /** The nodes that a node waits for. */
  sources(node: string): readonly string[]
}

/** A step that nothing is known of takes a moment. */
const MOMENT = 1
const NOTHING_KNOWN: Ahead = { seconds: () => null, sources: () => [] }

/** The bars of a run at a moment (epoch seconds): what was, what is, and where what is to come should lie. */
export function timeline(run: RunState, now: number, ahead: Ahead = NOTHING_KNOWN): Timeline {
  const begin = run.startedAt ?? now
  const over = isOver(run.status)
  const elapsed = Math.max(0, (over ? (run.finishedAt ?? now) : now) - begin)
  const ends = new Map<string, number>()
  const lanes: Lane[] = []
  for (const id of run.order) {
    const step = run.steps[id]
    if (!step) continue
    const waits = () => Math.max(elapsed, ...ahead.sources(nodeOf(id)).map((node) => ends.get(node) ?? 0))
    const lane =
      step.startedAt === null ? toCome(step, over, waits, ahead) : begun(step, begin, elapsed, ahead)
    lanes.push(lane)
    ends.set(nodeOf(id), Math.max(endOf(lane), ends.get(nodeOf(id)) ?? 0))
  }
  return { lanes, elapsed, seconds: Math.max(elapsed, 0.001, ...lanes.map(endOf)) }
}

const endOf = ({ start, length, expected }: Lane): number => start + length + expected

function begun(step: StepState, begin: number, elapsed: number, ahead: Ahead): Lane {
  const start = Math.max(0, (step.startedAt ?? begin) - begin)
  const end = step.finishedAt === null ? elapsed : step.finishedAt - begin
  const length = Math.max(0, end - start)
  const expected = step.status === 'running' ? rest(step, length, ahead) : 0
  return { ...faceOf(step), start, length, expected }
}

/** Progress knows better than an estimate. */
function rest({ id, progress }: StepState, length: number, ahead: Ahead): number {
  if (progress !== null && progress > 0.05) return (length * (1 - progress)) / progress
  return Math.max(0, (ahead.seconds(id) ?? 0) - length)
}

function toCome(step: StepState, over: boolean, waits: () => number, ahead: Ahead): Lane {
  const comes = !over && (step.status === 'pending' || step.status === 'queued')
  const expected = comes ? (ahead.seconds(step.id) ?? MOMENT) : 0
  return { ...faceOf(step), start: comes ? waits() : 0, length: 0, expected }
}

function faceOf({ id, title, nodeType, status, cached }: StepState) {
  return { id, title, nodeType, status, cached }
}
