import { emptyStep } from './step'
import type { RunState, StepState, StepStatus } from './types'

const members = new WeakMap<readonly string[], ReadonlyMap<string, readonly string[]>>()
const combined = new WeakMap<RunState['steps'], Map<string, StepState>>()

/** The step of a node; for a node that runs another agent, its inner steps (`teaser/speak`) combined. */
export function stepOfNode(run: RunState, id: string): StepState | undefined {
  const own = run.steps[id]
  if (own) return own
  const inner = innerSteps(run.order).get(id)
  if (!inner) return undefined
  const cached = combined.get(run.steps) ?? new Map<string, StepState>()
  combined.set(run.steps, cached)
  const known =
    cached.get(id) ??
    combine(
      id,
      inner.flatMap((one) => run.steps[one] ?? []),
    )
  cached.set(id, known)
  return known
}

function innerSteps(order: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const known = members.get(order)
  if (known) return known
  const found = new Map<string, string[]>()
  for (const id of order) {
    const slash = id.indexOf('/')
    if (slash < 0) continue
    const root = id.slice(0, slash)
    found.set(root, [...(found.get(root) ?? []), id])
  }
  members.set(order, found)
  return found
}

function combine(id: string, steps: readonly StepState[]): StepState {
  const done = steps.filter((step) => step.status === 'finished' || step.status === 'skipped')
  const status = statusOf(steps, done.length)
  const failed = steps.find((step) => step.status === 'failed')
  const over = status !== 'running' && status !== 'queued' && status !== 'pending'
  const starts = steps.flatMap((step) => step.startedAt ?? [])
  const ends = steps.flatMap((step) => step.finishedAt ?? [])
  const startedAt = starts.length > 0 ? Math.min(...starts) : null
  const finishedAt = over && ends.length > 0 ? Math.max(...ends) : null
  return {
    ...emptyStep(id),
    status,
    progress: status === 'running' ? done.length / steps.length : null,
    message: status === 'running' ? `${done.length} of ${steps.length}` : '',
    cached: steps.every((step) => step.cached),
    outputs: Object.assign({}, ...steps.map((step) => outputsOf(step, id))),
    error: failed?.error ?? null,
    startedAt,
    finishedAt,
    seconds: finishedAt !== null && startedAt !== null ? finishedAt - startedAt : null,
    costUsd: steps.reduce((sum, step) => sum + step.costUsd, 0),
  }
}

function statusOf(steps: readonly StepState[], done: number): StepStatus {
  const any = (status: StepStatus) => steps.some((step) => step.status === status)
  if (any('running') || (done > 0 && (any('pending') || any('queued')))) return 'running'
  if (any('failed')) return 'failed'
  if (any('cancelled')) return 'cancelled'
  if (any('queued')) return 'queued'
  return done === steps.length && any('finished') ? 'finished' : (steps[0]?.status ?? 'pending')
}

/** Named like the ports of the outer node: by the inner node, and by its port if it has several. */
function outputsOf(step: StepState, root: string): Record<string, unknown> {
  const node = step.id.slice(root.length + 1)
  const ports = Object.entries(step.outputs)
  return Object.fromEntries(
    ports.map(([port, value]) => [ports.length === 1 ? node : `${node}.${port}`, value]),
  )
}
