import { forgetFailedWork, forgetWork, pendingWork, rememberWork } from '../api/pending-work'
import { type Run, startRun } from '../api/runs'
import type { RunRequest } from '../api.gen/types.gen'
import { randomId } from '../ids'

/** A launch from a form, of the open canvas, or of a comparison of settings on it. */
export type PendingLaunch =
  | { kind: 'form'; key: string; flowId: string; body: RunRequest }
  | { kind: 'canvas'; key: string; order: Readonly<Record<string, unknown>> }
  | { kind: 'comparison'; key: string; order: Readonly<Record<string, unknown>> }

/** The launch of this kind that the page of this address has sent without a response, at most 15 minutes ago. */
export function findPendingLaunch<Kind extends PendingLaunch['kind']>(
  kind: Kind,
): Extract<PendingLaunch, { kind: Kind }> | null {
  const found = pendingWork(kind).find(({ page }) => page === window.location.pathname)
  return (found?.work as Extract<PendingLaunch, { kind: Kind }> | undefined) ?? null
}

/** Launches an agent; a reload before the response continues the launch. */
export async function startPendingLaunch(
  flowId: string,
  body: RunRequest,
  key: string = randomId(),
): Promise<Run> {
  rememberWork<PendingLaunch>({ kind: 'form', key, flowId, body })
  try {
    const run = await startRun(flowId, body, key)
    forgetWork(key)
    return run
  } catch (error) {
    forgetFailedWork(key, error)
    throw error
  }
}
