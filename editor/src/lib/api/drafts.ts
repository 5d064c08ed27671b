import { flowsCheck, flowsPublish, flowsSaveDraft } from '../api.gen/sdk.gen'
import type { DraftSaved, FlowCheck, Version } from '../api.gen/types.gen'
import { invalidateFlows } from '../query-client'
import { authorizedFetch } from './fetch'
import { unwrap } from './request'
import { whileUnderway } from './settled-saves'

export type PublishedVersion = Version

type FlowJson = Record<string, unknown>

/** Browsers limit keepalive requests to 64 KiB. */
const MAX_KEEPALIVE_BYTES = 60_000

/** Saves the draft over the revision it is based on; the server answers 412 if it has a newer one. */
export function saveDraft(
  flowId: string,
  document: FlowJson,
  revision: number,
  options: { keep?: boolean } = {},
): Promise<DraftSaved> {
  const save = flowsSaveDraft({
    path: { flow_id: flowId },
    body: document,
    headers: { 'if-match': `"${revision}"` },
    query: options.keep ? { keep: true } : {},
    throwOnError: true,
  })
  return whileUnderway(flowId, unwrap(save))
}

/** Sends the draft while the page is being left, without waiting for the response; the browser keeps its copy. */
export function saveDraftLeaving(flowId: string, document: FlowJson, revision: number): void {
  const body = JSON.stringify(document)
  if (body.length > MAX_KEEPALIVE_BYTES) return
  void authorizedFetch(`/api/v1/flows/${flowId}/draft`, {
    method: 'PUT',
    body,
    keepalive: true,
    headers: { 'Content-Type': 'application/json', 'If-Match': `"${revision}"` },
  }).catch(() => undefined)
}

/** Returns all problems that prevent the document of this agent from running, without saving it. */
export function checkFlow(flowId: string, document: FlowJson, signal: AbortSignal): Promise<FlowCheck> {
  return unwrap(flowsCheck({ body: document, query: { flow_id: flowId }, signal, throwOnError: true }))
}

export async function publishFlow(flowId: string, note: string): Promise<Version> {
  const path = { flow_id: flowId }
  const version = await unwrap(flowsPublish({ path, body: { note }, throwOnError: true }))
  void invalidateFlows()
  return version
}
