import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { I18nextProvider } from 'react-i18next'
import { TooltipProvider } from '@/components/tooltip'
import { getSession, onSession } from '@/lib/api/session'
import { followCurrentUser } from '@/lib/api/users'
import { reloadOnUpdate, watchForUpdates } from '@/lib/build-updates'
import { i18n } from '@/lib/i18n'
import { queryClient } from '@/lib/query-client'
import { followTheme } from '@/lib/theme'
import { toast, useToasts } from '@/lib/toasts'
import { ErrorBoundary } from './error-pages'
import { type Router, router } from './router'

followTheme()
followCurrentUser()

export function App() {
  useEffect(() => followSession(router), [])
  useEffect(followUpdates, [])
  return (
    <ErrorBoundary>
      <I18nextProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          <TooltipProvider delayDuration={350} skipDelayDuration={200}>
            <RouterProvider router={router} />
            <PageAnnouncer />
            <Notices />
          </TooltipProvider>
        </QueryClientProvider>
      </I18nextProvider>
    </ErrorBoundary>
  )
}

/** Announces the title of the new page after navigation; browsers do so only for full page loads. */
export function PageAnnouncer() {
  const [said, setSaid] = useState('')
  useEffect(() => {
    let path = router.state.resolvedLocation?.pathname
    // Not after the router has rendered: a page sets its title once its code has loaded, a placeholder none.
    const observer = new MutationObserver(() => {
      const next = router.state.location.pathname
      if (next === path || document.title === i18n.t('common:product')) return
      if (path !== undefined) setSaid(document.title)
      path = next
    })
    observer.observe(document.querySelector('title') ?? document.head, { childList: true })
    return () => observer.disconnect()
  }, [])
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  )
}

/** Error boundary: a failing toast must not remove the page. */
const load = (): Promise<{ default: ComponentType }> =>
  import('@/components/toaster').then(
    ({ Toaster }) => ({ default: Toaster }),
    () => ({ default: () => null }),
  )
const Toaster = lazy(load)

/** Delay after which the toaster loads: after first paint, when nothing can need a toast yet. */
const PRELOAD_DELAY_MS = 3000

/** Loads the toaster after the page, or with the first toast. */
export function Notices() {
  const any = useToasts((state) => state.toasts.length > 0)
  useEffect(() => {
    const timer = setTimeout(() => void load(), PRELOAD_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return any ? (
    <Suspense>
      <Toaster />
    </Suspense>
  ) : null
}

/**
 * Keeps page and session consistent: when the session ends or changes user, in this tab or another, clears cached
 * data and runs the route guards again.
 */
export function followSession(router: Router): () => void {
  let subject = getSession()?.subject ?? null
  return onSession(() => {
    const now = getSession()?.subject ?? null
    if (now === subject) return
    subject = now
    void queryClient.cancelQueries()
    // After a change of user, refetch what is on screen; without a session there is nothing to fetch.
    if (now) void queryClient.resetQueries()
    else queryClient.clear()
    void router.invalidate()
  })
}

/** Reloads for a newer build of the editor: at once, or on request while work is unsaved. */
export function followUpdates(): () => void {
  const forget = reloadOnUpdate({
    onBlocked: () =>
      toast({
        title: i18n.t('common:update.title'),
        description: i18n.t('common:update.description'),
        duration: Number.POSITIVE_INFINITY,
        action: { label: i18n.t('common:reload'), onPress: () => window.location.reload() },
      }),
  })
  const stop = watchForUpdates()
  return () => {
    forget()
    stop()
  }
}
