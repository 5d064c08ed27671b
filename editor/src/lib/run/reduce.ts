import { applyToStep, emptyStep } from './step'
import type { ErrorData, RunEvent, RunSnapshot, RunState, RunStatus, StepSnapshot, StepState } from './types'

/** The initial state of a run. */
export function emptyRun(): RunState {
  return {
    status: 'queued',
    lastSeq: 0,
    startedAt: null,
    finishedAt: null,
    seconds: null,
    costUsd: 0,
    error: null,
    order: [],
    steps: {},
  }
}

/** The state from a snapshot of the run; later events continue after its `last_seq`. */
export function fromRun(run: RunSnapshot): RunState {
  const steps = run.steps.map(fromStep)
  return {
    status: run.status as RunStatus,
    lastSeq: run.last_seq,
    startedAt: seconds(run.started_at),
    finishedAt: seconds(run.finished_at),
    seconds: run.seconds,
    costUsd: Number(run.cost_usd ?? 0),
    error: run.error ?? null,
    order: steps.map((step) => step.id),
    steps: Object.fromEntries(steps.map((step) => [step.id, step])),
  }
}

/** Applies numbered events in order. Known events change nothing, so a replay is harmless. */
export function applyEvents(state: RunState, events: readonly RunEvent[]): RunState {
  const fresh = events.filter((event) => event.seq > state.lastSeq)
  if (fresh.length === 0) return state
  const steps = { ...state.steps }
  const order = [...state.order]
  let next: RunState = state
  for (const event of fresh) {
    if (event.seq <= next.lastSeq) continue
    if (event.step === null) next = applyToRun(next, event, steps, order)
    else {
      if (!(event.step in steps)) order.push(event.step)
      const before = steps[event.step] ?? emptyStep(event.step)
      const after = applyToStep(before, event)
      steps[event.step] = after
      next = { ...underWay(next, event.time), costUsd: next.costUsd + after.costUsd - before.costUsd }
    }
    next = { ...next, lastSeq: event.seq }
  }
  return { ...next, steps, order: same(order, state.order) ? state.order : order }
}

/** After a resume the number of `run.started` may be known already: a step event restarts the run as well. */
function underWay(state: RunState, time: number): RunState {
  return state.status === 'queued'
    ? { ...state, status: 'running', startedAt: state.startedAt ?? time }
    : state
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, at) => id === other[at])
}

function applyToRun(
  state: RunState,
  event: RunEvent,
  steps: Record<string, StepState>,
  order: string[],
): RunState {
  if (event.type === 'run.started') {
    if (Array.isArray(event.data.steps)) begin(event.data.steps as Planned[], steps, order)
    return { ...state, status: 'running', startedAt: state.startedAt ?? event.time }
  }
  const ended = STATUS_OF_END_EVENT[event.type]
  if (!ended) return state
  for (const step of Object.values(steps)) steps[step.id] = settle(step, event.time)
  return {
    ...state,
    status: ended,
    finishedAt: event.time,
    seconds: (event.data.seconds as number | undefined) ?? state.seconds,
    costUsd: Number(event.data.cost_usd ?? state.costUsd),
    error: (event.data.error as ErrorData | undefined) ?? null,
  }
}

type Planned = { id: string; type?: string; title?: string }

/** The plan replaces the steps that were assumed from the nodes of a queued run. */
function begin(planned: readonly Planned[], steps: Record<string, StepState>, order: string[]) {
  const known = new Set(planned.map(({ id }) => id))
  for (const id of order.splice(0)) if (!known.has(id)) delete steps[id]
  for (const { id, type = '', title = id } of planned) {
    steps[id] = { ...(steps[id] ?? emptyStep(id)), nodeType: type, title }
    order.push(id)
  }
}

const STATUS_OF_END_EVENT: Readonly<Record<string, RunStatus>> = {
  'run.finished': 'finished',
  'run.failed': 'failed',
  'run.cancelled': 'cancelled',
}

/** When a run is over, no step is running. */
function settle(step: StepState, time: number): StepState {
  if (step.status === 'running' || step.status === 'queued') {
    return { ...step, status: 'cancelled', finishedAt: time, progress: null }
  }
  return step
}

function fromStep(step: StepSnapshot): StepState {
  return {
    ...emptyStep(step.id),
    nodeType: step.node_type,
    title: step.title,
    status: step.status as StepState['status'],
    cached: step.cached,
    progress: step.progress,
    message: step.message ?? '',
    text: step.text ?? '',
    outputs: step.outputs,
    error: step.error,
    skipped: step.skipped,
    startedAt: seconds(step.started_at),
    finishedAt: seconds(step.finished_at),
    seconds: step.seconds,
    costUsd: Number(step.cost_usd ?? 0),
    madeBy: step.made_by ?? null,
  }
}

function seconds(time: string | null): number | null {
  return time === null ? null : Date.parse(time) / 1000
}
