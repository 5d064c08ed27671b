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
      // A step that starts again after a resume costs nothing yet; what its earlier attempt cost stays spent.
      const added = Math.max(0, after.costUsd - before.costUsd)
      next = { ...underWay(next, event.time), costUsd: next.costUsd + added }
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
    if (Array.isArray(event.data.steps)) applyPlan(event.data.steps as Planned[], steps, order)
    return {
      ...state,
      status: 'running',
      startedAt: state.startedAt ?? event.time,
      finishedAt: null,
      seconds: null,
      error: null,
    }
  }
  const ended = STATUS_OF_END_EVENT[event.type]
  if (!ended) return state
  for (const step of Object.values(steps)) steps[step.id] = endOpenStep(step, ended, event.time)
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

/** Takes the steps of the plan, in its order; those that had finished before a resume stay as they are. */
function applyPlan(planned: readonly Planned[], steps: Record<string, StepState>, order: string[]) {
  const before = { ...steps }
  for (const id of order.splice(0)) delete steps[id]
  for (const { id, type = '', title = id } of planned) {
    const known = before[id]
    steps[id] = known?.status === 'finished' ? known : { ...emptyStep(id), nodeType: type, title }
    order.push(id)
  }
}

const STATUS_OF_END_EVENT: Readonly<Record<string, RunStatus>> = {
  'run.finished': 'finished',
  'run.failed': 'failed',
  'run.cancelled': 'cancelled',
}

/** When a run is over, its running steps are cancelled; those that did not start are skipped or cancelled with it. */
function endOpenStep(step: StepState, run: RunStatus, time: number): StepState {
  if (step.status === 'running') return { ...step, status: 'cancelled', finishedAt: time, retrying: null }
  if (step.status !== 'pending' && step.status !== 'queued') return step
  return { ...step, status: run === 'cancelled' ? 'cancelled' : 'skipped' }
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
    retrying: step.retrying ?? null,
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
