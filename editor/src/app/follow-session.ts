import { getSession, onSession } from '@/lib/api/session'
import { queryClient } from '@/lib/query-client'
import type { Router } from './router'

/**
 * Keeps page and session together: when the session ends or becomes somebody else's, in this tab or another,
 * what was known is forgotten and the guards are asked again.
 */
export function followSession(router: Router): () => void {
  let subject = getSession()?.subject ?? null
  return onSession(() => {
    const now = getSession()?.subject ?? null
    if (now === subject) return
    subject = now
    void queryClient.cancelQueries()
    // What is on screen asks anew for somebody else; with nobody there is nothing to ask.
    if (now) void queryClient.resetQueries()
    else queryClient.clear()
    void router.invalidate()
  })
}
