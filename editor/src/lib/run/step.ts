import type { ErrorData, MadeBy, RunEvent, StepState } from './types'

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
    retrying: null,
    progress: (data.fraction as number | null | undefined) ?? null,
    message: (data.message as string | undefined) ?? '',
  }),
  'step.partial': (step, { data }) => partial(step, data as PartialData),
  'step.retrying': (step, { data }) => ({
    ...step,
    text: '',
    partials: {},
    progress: null,
    message: '',
    retrying: { attempt: Number(data.attempt ?? 1), seconds: Number(data.seconds ?? 0) },
  }),
  'step.finished': (step, event) => ({
    ...step,
    ...ended(event),
    status: 'finished',
    progress: 1,
    cached: event.data.cached === true,
    outputs: (event.data.outputs as Record<string, unknown> | undefined) ?? {},
    error: null,
    finishedAt: event.time,
    madeBy: (event.data.made_by as MadeBy | null | undefined) ?? null,
  }),
  'step.failed': (step, event) => ({
    ...step,
    ...ended(event),
    status: 'failed',
    finishedAt: event.time,
    error: event.data.error as ErrorData,
  }),
  'step.skipped': (step, event) => ({
    ...step,
    ...ended(event),
    status: event.data.reason === 'cancelled' ? 'cancelled' : 'skipped',
    finishedAt: step.startedAt === null ? null : event.time,
    skipped: {
      because: (event.data.because as string | null | undefined) ?? null,
      reason: String(event.data.reason ?? ''),
    },
  }),
}

export function applyToStep(step: StepState, event: RunEvent): StepState {
  return EVENT_HANDLERS[event.type]?.(step, event) ?? step
}

function ended({ data }: RunEvent): Partial<StepState> {
  return {
    retrying: null,
    seconds: (data.seconds as number | undefined) ?? null,
    costUsd: Number(data.cost_usd ?? 0),
  }
}

/**
 * A delta is appended to the streamed text, and a value replaces what its port shows. The parts of a list's items
 * arrive beside each other: their values are shown each at its position, and they make no text.
 */
function partial(step: StepState, { delta, value, port = 'output', item }: PartialData): StepState {
  const isItem = item !== undefined && item !== null
  if (typeof delta === 'string') return isItem ? step : { ...step, text: step.text + delta }
  if (value === undefined) return step
  const text = !isItem && typeof value === 'string' ? value : step.text
  const values = [...(step.partials[port] ?? [])]
  values[item?.[0] ?? 0] = value
  return { ...step, text, partials: { ...step.partials, [port]: values } }
}

/** The data of `step.partial`. */
type PartialData = { delta?: string; value?: unknown; port?: string; item?: readonly number[] | null }
