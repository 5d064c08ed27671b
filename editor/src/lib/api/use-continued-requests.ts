import { useEffect, useRef } from 'react'
import { pendingRequests } from './pending-requests'

/** Continues what this tab was creating or publishing when it was reloaded. */
export function useContinuedRequests(): void {
  const looked = useRef(false)
  useEffect(() => {
    if (looked.current) return
    looked.current = true
    // Those of this page still wait for their own response.
    const pending = pendingRequests().filter(({ at }) => at < performance.timeOrigin)
    if (pending.length === 0) return
    void import('./continued-requests')
      .then(({ continueRequests }) => continueRequests(pending))
      .catch(() => undefined)
  })
}
