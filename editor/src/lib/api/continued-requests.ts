import { i18n } from '../i18n'
import { invalidate } from '../query-client'
import { toastError, toastSuccess } from '../toasts'
import { ApiError } from './error'
import { authorizedFetch } from './fetch'
import { type PendingRequest, pendingRequests } from './pending-requests'
import { forgetWork } from './pending-work'

const MAX_WAIT_MS = 60_000

/** Sends requests again that had no response when the page was reloaded; each is executed once. */
export async function continueRequests(loadedAt = performance.timeOrigin): Promise<void> {
  // Later ones are of this page, and still wait for their own response.
  const keys = pendingRequests().flatMap(({ at, key }) => (at < loadedAt ? [key] : []))
  if (keys.length === 0) return
  for (const key of keys) {
    // Another user may have signed in while the one before it was sent.
    const request = pendingRequests().find((one) => one.key === key)
    if (!request) continue
    try {
      await sendAgain(request)
      toastSuccess(i18n.t('common:continued'))
    } catch (error) {
      toastError(i18n.t('common:notContinued'), error)
    }
    forgetWork(key)
  }
  await invalidate()
}

/** Waits for the first request with the key while the server still executes it. */
async function sendAgain({ path, headers, body }: PendingRequest): Promise<void> {
  const end = Date.now() + MAX_WAIT_MS
  for (;;) {
    const response = await authorizedFetch(new URL(path, window.location.origin), {
      method: 'POST',
      headers,
      body: body || null,
    })
    if (response.ok) return
    const error = await ApiError.from(response)
    if (error.code !== 'idempotency_in_progress' || Date.now() > end) throw error
    await new Promise((done) => setTimeout(done, (error.retryAfter ?? 1) * 1000))
  }
}
