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
  /** What is still to come of it, as far as its progress tells. */
  readonly expected: number
}

export interface Timeline {
  readonly lanes: readonly Lane[]
  /** The length of the axis: it never shrinks below what is shown. */
  readonly seconds: number
  readonly elapsed: number
}

/** The bars of a run at a moment (epoch seconds); steps that never ran have no bar. */
export function timeline(run: RunState, now: number): Timeline {
  const begin = run.startedAt ?? now
  const end = isOver(run.status) ? (run.finishedAt ?? now) : now
  const lanes = run.order.flatMap((id) => {
    const step = run.steps[id]
    return step && step.startedAt !== null ? [lane(step, begin, end)] : []
  })
  const reach = Math.max(...lanes.map(({ start, length, expected }) => start + length + expected), 0)
  return { lanes, elapsed: Math.max(0, end - begin), seconds: Math.max(reach, end - begin, 0.001) }
}

function lane(step: StepState, begin: number, now: number): Lane {
  const start = Math.max(0, (step.startedAt ?? begin) - begin)
  const end = (step.finishedAt ?? now) - begin
  const length = Math.max(0, end - start)
  const running = step.status === 'running'
  const told = running && step.progress !== null && step.progress > 0.05
  return {
    id: step.id,
    title: step.title,
    nodeType: step.nodeType,
    status: step.status,
    cached: step.cached,
    start,
    length,
    expected: told ? (length * (1 - (step.progress as number))) / (step.progress as number) : 0,
  }
}
