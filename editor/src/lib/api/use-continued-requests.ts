import { useEffect } from 'react'
import { hasPendingWork } from './pending-work'
import { getSession } from './session'

/** The users whose work this page has looked for. */
const looked = new Set<string>()

/** Continues what this tab was creating or publishing when it was reloaded; once for each user who signs in. */
export function useContinuedRequests(): void {
  const user = getSession()?.subject
  useEffect(() => {
    if (user === undefined || looked.has(user)) return
    looked.add(user)
    if (hasPendingWork('request'))
      void import('./continued-requests')
        .then(({ continueRequests }) => continueRequests())
        .catch(() => undefined)
  }, [user])
}
