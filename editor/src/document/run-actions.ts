import { stateOf } from '@/graph/pins'
import { knownBrandVersions } from '@/lib/api/brands'
import { isApiError } from '@/lib/api/error'
import type { Problem } from './backend'
import { isRunCurrent } from './run-staleness'
import type { RunRequest } from './runner'
import type { Session } from './session'

/** Saves the document and runs exactly that revision. */
export async function startRun(session: Session, order: Partial<RunRequest> = {}): Promise<void> {
  const { budget, allowUnpriced } = session.view.getState()
  const budgetUsd = budget.trim() || null
  await start(session, {
    inputs: lastInputs(session),
    reuse: 'changed',
    budgetUsd,
    ...(allowUnpriced && { allowUnpriced }),
    ...order,
  })
}

/** Continues the launch that a reload has interrupted; returns false if there is none. */
export async function continueLaunch(session: Session): Promise<boolean> {
  const pending = session.runner.findPending()
  if (pending) await start(session, pending.order, pending.key)
  return pending !== null
}

async function start(session: Session, order: RunRequest, key?: string): Promise<void> {
  session.view.setState({ refused: false })
  try {
    await session.runner.start(order, () => saveDraft(session), key)
  } catch (error) {
    const problems = refusalProblems(error)
    if (problems.length === 0) throw error
    session.checker.adopt(problems)
    session.view.setState({ refused: true, dialog: 'problems' })
  }
}

/** The problems for which the server refused a run; none if it failed for another reason. */
export function refusalProblems(error: unknown): readonly Problem[] {
  if (isApiError(error, 'flow_invalid')) return error.problems as Problem[]
  if (!isApiError(error, 'inputs_invalid')) return []
  return error.errors.map(({ path, code, message }) => ({
    code,
    message,
    node: /^inputs\.([^.[]+)/.exec(path)?.[1] ?? null,
    severity: 'error' as const,
  }))
}

/** Saves the draft, so that what runs is what is shown. Throws if it could not be saved. */
export async function saveDraft(session: Session): Promise<void> {
  if (!session.canEdit || (await session.saver.save())) return
  throw new Error(session.saver.store.getState().error ?? 'Could not save the agent')
}

/** Runs a node and the nodes it depends on, and none of the nodes after it. */
export function runTo(session: Session, node: string): Promise<void> {
  return startRun(session, { targets: [node] })
}

/** The same, and regenerates the result of the node itself. */
export function runFrom(session: Session, node: string): Promise<void> {
  return startRun(session, { targets: [node], fresh: [node] })
}

/** Retries failed and skipped steps: in the same run if the document has not changed, otherwise in a new run. */
export async function retryStep(session: Session, node: string): Promise<void> {
  const { run } = session.runner.store.getState()
  if (run?.can_resume && !session.saver.isDirty && isRunCurrent(run, session.document, knownBrandVersions()))
    await session.runner.resume()
  else await startRun(session, { fresh: [node] })
}

/** The inputs of the run on the canvas that a run of the draft takes. */
export function lastInputs(session: Session): RunRequest['inputs'] {
  const { run } = session.runner.store.getState()
  const called = session.document.nodes.filter((node) => stateOf(node) === null)
  const known = new Set(called.map((node) => node.id))
  // Inputs that only a pinned or bypassed node would take are no inputs of this run.
  if (called.length < session.document.nodes.length) {
    const { properties } = session.checker.store.getState().inputs
    const isNeeded = (id: string) => typeof properties !== 'object' || properties === null || id in properties
    for (const id of [...known]) if (!isNeeded(id)) known.delete(id)
  }
  return Object.fromEntries(Object.entries(run?.inputs ?? {}).filter(([id]) => known.has(id)))
}
