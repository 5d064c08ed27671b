import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { I18nextProvider } from 'react-i18next'
import { TooltipProvider } from '@/components/tooltip'
import { followCurrentUser } from '@/lib/api/users'
import { i18n } from '@/lib/i18n'
import { queryClient } from '@/lib/query-client'
import { followTheme } from '@/lib/theme'
import { ErrorBoundary } from './error-boundary'
import { followSession } from './follow-session'
import { followUpdates } from './follow-updates'
import { Notices } from './notices'
import { PageAnnouncer } from './page-announcer'
import { router } from './router'

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
