import { type Draft, type FlowBackend, ServerUnreachableError, StaleRevisionError } from '@/document/backend'
import { createRecoveryStore } from '@/document/recovery'
import { ForeignRunError, type OpenRun, type RunBackend, type RunRequest } from '@/document/runner'
import { Session } from '@/document/session'
import { Catalog, type CatalogData } from '@/graph/catalog'
import { separateCards } from '@/graph/edits/separate'
import { parseDocument } from '@/graph/parse'
import { startComparison } from '@/lib/api/comparisons'
import { checkFlow, saveDraft, saveDraftLeaving } from '@/lib/api/drafts'
import { ApiError } from '@/lib/api/error'
import { type FlowDetail, flowQuery } from '@/lib/api/flows'
import type { NodesAnswer } from '@/lib/api/nodes'
import { forgetFailedWork, forgetWork, rememberWork } from '@/lib/api/pending-work'
import { cancelRun, resumeRun, runQuery, startRun } from '@/lib/api/runs'
import { randomId } from '@/lib/ids'
import { findPendingLaunch, type PendingLaunch } from '@/lib/launch/pending-launches'
import { readBudget } from '@/lib/launch/saved-launch'
import { openTabs } from '@/lib/open-tabs'
import { fetchFresh } from '@/lib/query-client'
import type { RunEvent } from '@/lib/run/types'
import { followEvents } from '@/lib/run-events'

/** Connects the open document to the server. */
export function openSession(flow: FlowDetail, nodes: NodesAnswer): Session {
  const catalog = new Catalog(nodes as unknown as CatalogData)
  return new Session({
    flowId: flow.id,
    opened: draftOf(flow, catalog),
    savedAt: Date.parse(flow.updated_at),
    catalog,
    backend: flowBackend(flow.id, catalog),
    runs: runBackend(flow.id, flow.permissions.edit, 'canvas'),
    comparisons: runBackend(flow.id, flow.permissions.edit, 'comparison'),
    recovery: createRecoveryStore(window.localStorage, openTabs),
    canEdit: flow.permissions.edit,
    budget: readBudget(flow.id),
  })
}

/** The stored draft as the canvas shows it: no card covers another. */
function draftOf({ flow, revision }: FlowDetail, catalog: Catalog): Draft {
  return { document: separateCards(parseDocument(flow), catalog), revision }
}

function flowBackend(flowId: string, catalog: Catalog): FlowBackend {
  return {
    load: async () => draftOf(await fetchFresh(flowQuery(flowId)), catalog),
    async save({ document, revision }, { keep, leaving }) {
      if (leaving) {
        saveDraftLeaving(flowId, { ...document }, revision)
        throw new ServerUnreachableError()
      }
      try {
        const saved = await saveDraft(flowId, { ...document }, revision, { keep: keep ?? false })
        return { revision: saved.revision, savedAt: Date.parse(saved.saved_at) || Date.now() }
      } catch (error) {
        throw translated(error)
      }
    },
    check: (document, signal) => checkFlow(flowId, { ...document }, signal),
  }
}

function translated(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  if (error.status === 412) return new StaleRevisionError()
  return error.status === 0 || error.status >= 500 ? new ServerUnreachableError() : error
}

/** The user's own agent runs as drafted; other agents run as published. */
function runBackend(flowId: string, own: boolean, kind: 'canvas' | 'comparison'): RunBackend {
  return {
    remember(order, key = randomId()) {
      rememberWork<PendingLaunch>({ kind, key, order: { ...order } })
      return key
    },
    findPending() {
      const found = findPendingLaunch(kind)
      return found && { key: found.key, order: found.order as unknown as RunRequest }
    },
    forget: (key, error) => (error === undefined ? forgetWork(key) : forgetFailedWork(key, error)),
    start: ({ inputs, targets, fresh, reuse, budgetUsd, allowUnpriced, version, comparison }, key) => {
      const limits = {
        ...(budgetUsd && { budget_usd: budgetUsd }),
        ...(allowUnpriced && { allow_unpriced: true }),
      }
      if (comparison) {
        const variants = comparison.variants.map((settings) => ({ settings: { ...settings } }))
        const body = { node: comparison.node, variants, inputs: { ...inputs }, ...limits }
        return startComparison(flowId, body, key) as Promise<OpenRun>
      }
      return startRun(
        flowId,
        {
          inputs: { ...inputs },
          version: version ?? (own ? 'draft' : null),
          ...(targets && { targets: [...targets] }),
          ...(fresh && { fresh: [...fresh] }),
          ...(reuse && { reuse }),
          ...limits,
        },
        key,
      ) as Promise<OpenRun>
    },
    async read(id) {
      const run = await fetchFresh(runQuery(id))
      if (run.flow_id !== flowId) throw new ForeignRunError()
      return run as OpenRun
    },
    cancel: cancelRun,
    resume: resumeRun,
    follow: (id, after, onEvent, onStream) =>
      followEvents(`/runs/${id}/events`, {
        after,
        onState: onStream,
        onEvent: ({ data }) => onEvent(JSON.parse(data) as RunEvent),
      }),
  }
}
