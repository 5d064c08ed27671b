import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type ComponentType, useEffect, useState } from 'react'
import { I18nextProvider } from 'react-i18next'
import { Button } from '@/components/button'
import { TooltipProvider } from '@/components/tooltip'
import { PENDING_KEY } from '@/lib/api/pending-work'
import { getSession, hasSignedOut, onSession } from '@/lib/api/session'
import { followCurrentUser } from '@/lib/api/users'
import { reloadOnUpdate, watchForUpdates } from '@/lib/build-updates'
import { i18n } from '@/lib/i18n'
import { queryClient } from '@/lib/query-client'
import { sessionStore } from '@/lib/storage'
import { followTheme } from '@/lib/theme'
import { dismissToast, type Toast, toast, useToasts } from '@/lib/toasts'
import { ErrorBoundary } from './error-pages'
import { type Router, router } from './router'

followTheme()
followCurrentUser()
const subjectAtLoad = getSession()?.subject ?? null

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

/** Delay after which the toaster loads: after first paint, when nothing can need a toast yet. */
const PRELOAD_DELAY_MS = 3000

/** Loads the toaster after the page, or with the first toast; until it could be loaded, toasts are plain text. */
export function Notices() {
  const newest = useToasts((state) => state.toasts[0])
  const [Toaster, setToaster] = useState<ComponentType | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const id = newest?.id
  useEffect(() => {
    if (Toaster) return
    const load = () =>
      void import('@/components/toaster').then(
        (file) => setToaster(() => file.Toaster),
        () => setFailed(true),
      )
    const timer = setTimeout(load, id === undefined ? PRELOAD_DELAY_MS : 0)
    return () => clearTimeout(timer)
  }, [Toaster, id])
  if (!newest) return null
  if (Toaster) return <Toaster />
  return hasFailed && newest.open && <PlainNotice {...newest} />
}

/** A toast without the code of the toaster, such as offline. */
function PlainNotice({ id, title, description, action }: Toast) {
  return (
    <div
      role="alert"
      className="fixed right-4 bottom-4 z-70 flex max-w-88 items-center gap-3 rounded-l border border-hairline bg-surface p-4 shadow-float"
    >
      <p className="wrap-anywhere">
        <b>{title}</b> {description}
      </p>
      <Button
        size="sm"
        onClick={() => {
          dismissToast(id)
          action?.onPress()
        }}
      >
        {action?.label ?? i18n.t('common:close')}
      </Button>
    </div>
  )
}

/**
 * Keeps page and session consistent: when the session ends or changes user, in this tab or another, clears cached
 * data and runs the route guards again. Drafts and undo histories of the tab stay when a session expires, but not for
 * another user and not when the user has signed out.
 */
export function followSession(router: Router, loadedAs = subjectAtLoad): () => void {
  let subject = loadedAs
  let lastUser = loadedAs
  const follow = () => {
    const now = getSession()?.subject ?? null
    if (now === subject) return
    subject = now
    if (now && lastUser && now !== lastUser) clearTab()
    lastUser = now ?? lastUser
    void queryClient.cancelQueries()
    // After a change of user, refetch what is on screen; without a session there is nothing to fetch.
    if (now) void queryClient.resetQueries()
    else queryClient.clear()
    const guarded = router.invalidate()
    // A page that is left may still store its draft.
    if (!now && hasSignedOut()) void Promise.resolve(guarded).finally(clearTab)
  }
  // The first requests of a page may have ended the session already.
  if (!getSession()) follow()
  return onSession(follow)
}

/** Removes what the tab keeps for its user, except unanswered requests, which are kept for each user apart. */
function clearTab() {
  sessionStore.clear([PENDING_KEY])
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
