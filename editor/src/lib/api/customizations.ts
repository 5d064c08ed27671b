import { queryOptions } from '@tanstack/react-query'
import { flowsGetCustomization, flowsResetCustomization, flowsUpdateCustomization } from '../api.gen/sdk.gen'
import type { Customization } from '../api.gen/types.gen'
import { queryClient } from '../query-client'
import { unwrap } from './request'
import { getSession, onSession } from './session'

type Inputs = Record<string, unknown>

/** A change of what is stored: all of it is removed first, if `isReset`; null removes one input. */
type Change = { isReset: boolean; values: Inputs }

/** The changes of one agent: one is sent at a time, what changes since waits and is sent as one. */
type Queue = {
  /** What the server had before the changes below. */
  stored: Inputs
  sent: Change | null
  waiting: Change | null
  /** Ends the request that is being sent. */
  abort: () => void
  onFailed: (error: unknown) => void
}

const queues = new Map<string, Queue>()

/** The launch inputs of an agent as the user last set them, in any browser. */
export function customizationQuery(flowId: string) {
  return queryOptions({
    queryKey: ['customizations', flowId],
    queryFn: async ({ signal }) => {
      const found = await unwrap(
        flowsGetCustomization({ path: { flow_id: flowId }, signal, throwOnError: true }),
      )
      const queue = queues.get(flowId)
      if (!queue) return found
      // The server may have answered before it stored what is being sent.
      queue.stored = found.values
      return { ...found, values: shownValues(queue) }
    },
    // A launch waits for it: without an answer, the agent's own values apply.
    retry: false,
  })
}

/** Stores inputs beside the earlier ones; null removes one. They are shown at once, and taken back if that fails. */
export function updateCustomization(flowId: string, values: Inputs, onFailed: Queue['onFailed']): void {
  change(flowId, { isReset: false, values }, onFailed)
}

/** Removes all stored inputs of an agent. */
export function resetCustomization(flowId: string, onFailed: Queue['onFailed']): void {
  change(flowId, { isReset: true, values: {} }, onFailed)
}

function change(flowId: string, added: Change, onFailed: Queue['onFailed']): void {
  const queue = queues.get(flowId) ?? {
    stored: queryClient.getQueryData<Customization>(customizationQuery(flowId).queryKey)?.values ?? {},
    sent: null,
    waiting: null,
    abort: () => undefined,
    onFailed,
  }
  queues.set(flowId, queue)
  queue.onFailed = onFailed
  queue.waiting = combined(queue.waiting, added)
  show(flowId, shownValues(queue))
  if (!queue.sent) void sendWaiting(flowId, queue)
}

async function sendWaiting(flowId: string, queue: Queue): Promise<void> {
  while (queue.waiting && queues.get(flowId) === queue) {
    const sending = new AbortController()
    queue.sent = queue.waiting
    queue.waiting = null
    queue.abort = () => sending.abort()
    try {
      queue.stored = await sendChange(flowId, queue.sent, queue.stored, sending.signal)
    } catch (error) {
      if (queues.get(flowId) === queue && !sending.signal.aborted) queue.onFailed(error)
    }
    if (queues.get(flowId) !== queue) return
    queue.sent = null
    show(flowId, shownValues(queue))
  }
  if (queues.get(flowId) === queue) queues.delete(flowId)
}

/** Returns what the server has then. The request outlives the page. */
async function sendChange(
  flowId: string,
  sent: Change,
  stored: Inputs,
  signal?: AbortSignal,
): Promise<Inputs> {
  const options = {
    path: { flow_id: flowId },
    signal: signal ?? null,
    keepalive: true,
    throwOnError: true,
  } as const
  if (!sent.isReset)
    return (await unwrap(flowsUpdateCustomization({ ...options, body: { values: sent.values } }))).values
  if (Object.keys(sent.values).length === 0) {
    await flowsResetCustomization(options)
    return {}
  }
  // One request: of two, the first could be executed last.
  const removed = Object.fromEntries(Object.keys(stored).map((name) => [name, null]))
  const body = { values: { ...removed, ...sent.values } }
  return (await unwrap(flowsUpdateCustomization({ ...options, body }))).values
}

function combined(first: Change | null, second: Change): Change {
  if (!first || second.isReset) return second
  return { isReset: first.isReset, values: { ...first.values, ...second.values } }
}

function shownValues({ stored, sent, waiting }: Queue): Inputs {
  return [sent, waiting].reduce<Inputs>((values, one) => (one ? applied(values, one) : values), stored)
}

function applied(values: Inputs, { isReset, values: changed }: Change): Inputs {
  const all = Object.entries({ ...(isReset ? {} : values), ...changed })
  return Object.fromEntries(all.filter(([, value]) => value !== null))
}

/** Shows values before the server has stored them; a response that is on its way may be older. */
function show(flowId: string, values: Inputs): void {
  const { queryKey } = customizationQuery(flowId)
  void queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData<Customization>(queryKey, (known) => ({
    values,
    updated_at: known?.updated_at ?? null,
  }))
}

// The page is left: what waits is sent as one request with what is being sent, whose own request is ended. Of two requests
// side by side, the first could be executed last.
window.addEventListener('pagehide', () => {
  for (const [flowId, queue] of queues) {
    if (!queue.waiting) continue
    const last = queue.sent ? combined(queue.sent, queue.waiting) : queue.waiting
    queues.delete(flowId)
    queue.abort()
    sendChange(flowId, last, queue.stored).catch(() => undefined)
  }
})

// Nothing of one user is sent or shown for the next one.
let user = getSession()?.subject ?? null
onSession(() => {
  const now = getSession()?.subject ?? null
  if (now === user) return
  user = now
  queues.clear()
})
