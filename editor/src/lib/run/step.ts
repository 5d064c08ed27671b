import type { ErrorData, MadeBy, RunEvent, Skipped, StepState } from './types'

/** The node of a step; for an inner step (`teaser/speak`), the node that runs the other agent. */
export function nodeOf(step: string): string {
  return step.split('/', 1)[0] ?? step
}

export function emptyStep(id: string): StepState {
  return {
    id,
    nodeType: '',
    title: id,
    status: 'pending',
    cached: false,
    progress: null,
    message: '',
    text: '',
    partials: {},
    outputs: {},
    error: null,
    retrying: null,
    skipped: null,
    startedAt: null,
    finishedAt: null,
    seconds: null,
    costUsd: 0,
    madeBy: null,
  }
}

type Apply = (step: StepState, event: RunEvent) => StepState

/** The step after an event; unknown kinds of events change nothing. */
const EVENT_HANDLERS: Readonly<Record<string, Apply>> = {
  'step.queued': (step) => ({ ...step, status: 'queued' }),
  'step.started': (step, event) => ({
    ...emptyStep(step.id),
    nodeType: step.nodeType,
    title: step.title,
    status: 'running',
    startedAt: event.time,
  }),
  'step.progress': (step, { data }) => ({
    ...step,
    status: 'running',
    retrying: null,
    progress: (data.fraction as number | null) ?? step.progress,
    message: (data.message as string | undefined) ?? '',
  }),
  'step.partial': (step, { data }) => partial(step, data),
  'step.retrying': (step, { data }) => ({
    ...step,
    text: '',
    partials: {},
    retrying: { attempt: Number(data.attempt ?? 1), seconds: Number(data.seconds ?? 0) },
    error: (data.error as ErrorData | undefined) ?? null,
  }),
  'step.finished': (step, event) => ({
    ...step,
    ...ended(step, event),
    status: 'finished',
    cached: event.data.cached === true,
    outputs: (event.data.outputs as Record<string, unknown> | undefined) ?? {},
    error: null,
    madeBy: (event.data.made_by as MadeBy | null | undefined) ?? null,
  }),
  'step.failed': (step, event) => ({
    ...step,
    ...ended(step, event),
    status: 'failed',
    error: event.data.error as ErrorData,
  }),
  'step.skipped': (step, event) => ({
    ...step,
    ...ended(step, event),
    status: event.data.reason === 'cancelled' ? 'cancelled' : 'skipped',
    skipped: event.data as unknown as Skipped,
  }),
}

export function applyToStep(step: StepState, event: RunEvent): StepState {
  return EVENT_HANDLERS[event.type]?.(step, event) ?? step
}

function ended(step: StepState, { time, data }: RunEvent): Partial<StepState> {
  return {
    finishedAt: time,
    progress: null,
    message: '',
    retrying: null,
    seconds: (data.seconds as number | undefined) ?? step.seconds,
    costUsd: Number(data.cost_usd ?? step.costUsd),
  }
}

/** A delta is appended to the streamed text; a value replaces its item on its port. */
function partial(step: StepState, data: RunEvent['data']): StepState {
  if (typeof data.delta === 'string') return { ...step, status: 'running', text: step.text + data.delta }
  if (!('value' in data)) return step
  const port = typeof data.port === 'string' ? data.port : 'output'
  const values = [...(step.partials[port] ?? [])]
  const [place] = Array.isArray(data.item) ? data.item : []
  values[typeof place === 'number' ? place : 0] = data.value
  return { ...step, status: 'running', partials: { ...step.partials, [port]: values } }
}
