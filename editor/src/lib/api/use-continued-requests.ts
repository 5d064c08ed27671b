import { useEffect } from 'react'
import { hasPendingWork } from './pending-work'

let looked = false

/** Continues what this tab was creating or publishing when it was reloaded. */
export function useContinuedRequests(): void {
  useEffect(() => {
    if (looked) return
    looked = true
    if (hasPendingWork('request'))
      void import('./continued-requests')
        .then(({ continueRequests }) => continueRequests())
        .catch(() => undefined)
  })
}
