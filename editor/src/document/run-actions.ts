import { isRunCurrent } from './run-staleness'
import type { RunRequest } from './runner'
import type { Session } from './session'

/** Saves what is on the canvas and runs exactly that. */
export async function startRun(session: Session, order: Partial<RunRequest> = {}): Promise<void> {
  if (session.canEdit && !(await session.saver.save())) {
    const { error } = session.saver.store.getState()
    throw new Error(error ?? 'It could not be saved')
  }
  session.view.setState({ dock: true })
  const budgetUsd = session.view.getState().budget.trim() || null
  await session.runner.start({ inputs: lastInputs(session), reuse: 'changed', budgetUsd, ...order })
}

/** Runs what a node needs, and the node; everything behind it rests. */
export function runTo(session: Session, node: string): Promise<void> {
  return startRun(session, { targets: [node] })
}

/** The same, with a fresh result of the node itself. */
export function runFrom(session: Session, node: string): Promise<void> {
  return startRun(session, { targets: [node], fresh: [node] })
}

/** Does again what failed or never ran: the same run when nothing was edited since, a new one otherwise. */
export async function retryStep(session: Session, node: string): Promise<void> {
  const { run } = session.runner.store.getState()
  if (run?.can_resume && !session.saver.isDirty && isRunCurrent(run, session.document))
    await session.runner.resume()
  else await startRun(session, { fresh: [node] })
}

function lastInputs(session: Session): RunRequest['inputs'] {
  const { run } = session.runner.store.getState()
  const known = new Set(session.document.nodes.map((node) => node.id))
  return Object.fromEntries(Object.entries(run?.inputs ?? {}).filter(([id]) => known.has(id)))
}
