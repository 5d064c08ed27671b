// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from '@/lib/query-client'
import { startBackend } from '@/test/backend'
import { renderPage } from '@/test/render-page'
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
  renderPage(SignupPage)
  expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument()
  expect(screen.getByText(help)).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login')
  expect(screen.queryByRole('textbox')).not.toBeInTheDocument()
})
