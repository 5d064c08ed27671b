// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { I18nextProvider } from 'react-i18next'
import { afterEach, expect, test } from 'vitest'
import { i18n } from '@/lib/i18n'
import { queryClient } from '@/lib/query-client'
import { startBackend } from '@/test/backend'
import { SignupPage } from './signup-page'

const backend = startBackend()
afterEach(() => queryClient.clear())

test.each([
  ['invite', 'Sign-up is by invitation', /open the link in its email/],
  ['closed', 'Sign-up is closed', /ask an admin of this server/],
] as const)('with sign-up %s there is no form, but what to do instead', async (mode, title, help) => {
  backend.use(
    http.get('*/identity/registration', () => HttpResponse.json({ mode, domains: [], sentence: 'No.' })),
  )
  const router = createRouter({
    routeTree: createRootRoute({ component: SignupPage }),
    history: createMemoryHistory(),
  })
  render(
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </I18nextProvider>,
  )
  expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument()
  expect(screen.getByText(help)).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login')
  expect(screen.queryByRole('textbox')).not.toBeInTheDocument()
})
