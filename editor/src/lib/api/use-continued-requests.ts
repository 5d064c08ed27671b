import { useEffect } from 'react'

let looked = false

/** Continues what this tab was creating or publishing when it was reloaded. */
export function useContinuedRequests(): void {
  useEffect(() => {
    if (looked) return
    looked = true
    if (sessionStorage.getItem('impasto.requests'))
      void import('./continued-requests')
        .then(({ continueRequests }) => continueRequests())
        .catch(() => undefined)
  })
}
