// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { I18nextProvider } from 'react-i18next'
import { afterEach, expect, test } from 'vitest'
import { i18n } from '@/lib/i18n'
import { queryClient } from '@/lib/query-client'
import { startBackend } from '@/test/backend'
import { WhyPage } from './why-page'

const backend = startBackend()
afterEach(() => queryClient.clear())

test('reasons have placeholders until they are loaded', async () => {
  let answer = () => {}
  const asked = new Promise<void>((done) => {
    answer = done
  })
  backend.use(
    http.get('*/user-info/reasons', async () => {
      await asked
      return HttpResponse.json([{ value: 'save_time', label: 'Save time' }])
    }),
  )
  const root = createRootRoute()
  const onboarding = createRoute({ getParentRoute: () => root, path: 'onboarding', component: WhyPage })
  const router = createRouter({
    routeTree: root.addChildren([onboarding]),
    history: createMemoryHistory({ initialEntries: ['/onboarding'] }),
  })
  render(
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </I18nextProvider>,
  )
  const reasons = await screen.findByRole('group')
  expect(reasons).toHaveAttribute('aria-busy', 'true')
  expect(reasons.querySelectorAll('.animate-breathe')).toHaveLength(6)
  answer()
  expect(await screen.findByRole('checkbox', { name: 'Save time' })).toBeInTheDocument()
  expect(reasons.querySelectorAll('.animate-breathe')).toHaveLength(0)
})
