import { flowsCheck, flowsPublish, flowsSaveDraft } from '../api.gen/sdk.gen'
import type { DraftSaved, FlowCheck, Version } from '../api.gen/types.gen'
import { queryClient } from '../query-client'
import { authorizedFetch } from './fetch'
import { unwrap } from './request'

export type PublishedVersion = Version

type FlowJson = Record<string, unknown>

/** A request that outlives its page may carry no more than the browser's 64 KiB. */
const MAX_KEEPALIVE_BYTES = 60_000

/** Saves the draft over the revision it was made from; a newer one on the server is refused with 412. */
export function saveDraft(
  flowId: string,
  document: FlowJson,
  revision: number,
  options: { keep?: boolean } = {},
): Promise<DraftSaved> {
  return unwrap(
    flowsSaveDraft({
      path: { flow_id: flowId },
      body: document,
      headers: { 'if-match': `"${revision}"` },
      query: options.keep ? { keep: true } : {},
      throwOnError: true,
    }),
  )
}

/** Sends the draft while the page goes away. Nothing waits for the answer; the browser's copy stays. */
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

/** Everything that keeps a document from running, without saving it. */
export function checkFlow(document: FlowJson, signal: AbortSignal): Promise<FlowCheck> {
  return unwrap(flowsCheck({ body: document, signal, throwOnError: true }))
}

export async function publishFlow(flowId: string, note: string): Promise<Version> {
  const path = { flow_id: flowId }
  const version = await unwrap(flowsPublish({ path, body: { note }, throwOnError: true }))
  void queryClient.invalidateQueries({ queryKey: ['flows'] })
  return version
}
