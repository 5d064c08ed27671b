// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { I18nextProvider } from 'react-i18next'
import { afterEach, expect, test } from 'vitest'
import { i18n } from '@/lib/i18n'
import { queryClient } from '@/lib/query-client'
import { startBackend } from '@/test/backend'
import { CompanyPage } from './company-page'

const backend = startBackend()
afterEach(() => queryClient.clear())

test('roles that could not be loaded can be loaded again', async () => {
  backend.use(http.get('*/user-info/roles', () => HttpResponse.json({ detail: 'No.' }, { status: 400 })))
  const root = createRootRoute()
  const onboarding = createRoute({ getParentRoute: () => root, path: 'onboarding', component: CompanyPage })
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
  expect(await screen.findByText('The choices could not be loaded.')).toBeInTheDocument()
  const role = screen.getByRole('combobox', { name: 'Which best describes you?' })
  expect(role).toBeDisabled()
  backend.use(
    http.get('*/user-info/roles', () => HttpResponse.json([{ value: 'freelancer', label: 'Freelancer' }])),
  )
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(role).toBeEnabled())
  expect(screen.queryByText('The choices could not be loaded.')).not.toBeInTheDocument()
})
