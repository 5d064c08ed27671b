import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { type RenderResult, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { TooltipProvider } from '@/components/tooltip'
import { i18n } from '@/lib/i18n'
import { queryClient } from '@/lib/query-client'

/** Renders a page or a part of one at `/`, with the providers of the app. */
export function renderPage(component: () => ReactNode): RenderResult {
  const router = createRouter({
    routeTree: createRootRoute({ component }),
    history: createMemoryHistory(),
  })
  return render(
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <TooltipProvider>
          <RouterProvider router={router as never} />
        </TooltipProvider>
      </QueryClientProvider>
    </I18nextProvider>,
  )
}
