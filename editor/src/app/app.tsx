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

/** Says the name of the page one has come to; a browser does so only when it loads a page anew. */
export function PageAnnouncer() {
  const [said, setSaid] = useState('')
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        // Pages name themselves as they appear, so their name stands now.
        if (pathChanged && fromLocation) setSaid(document.title)
      }),
    [],
  )
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  )
}

/** A notice that cannot be drawn must not take the page with it. */
const load = (): Promise<{ default: ComponentType }> =>
  import('@/components/toaster').then(
    ({ Toaster }) => ({ default: Toaster }),
    () => ({ default: () => null }),
  )
const Toaster = lazy(load)

/** Long after the page is there, and before anybody can have lost the connection that a notice would tell of. */
const PRELOAD_DELAY_MS = 3000

/** The corner for notices. It comes after the page that it belongs to, or with the first notice. */
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

/** Takes in a newer build of the editor: at once, or when the person says so while work is unsaved. */
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
