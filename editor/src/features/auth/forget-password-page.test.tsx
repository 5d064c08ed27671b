// @vitest-environment jsdom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { I18nextProvider } from 'react-i18next'
import { beforeEach, expect, test } from 'vitest'
import { i18n } from '@/lib/i18n'
import { ResetPassword } from './forget-password-page'

beforeEach(async () => {
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => <ResetPassword username="mara" onDone={() => undefined} onLeave={() => undefined} />,
    }),
    history: createMemoryHistory(),
  })
  render(
    <I18nextProvider i18n={i18n}>
      <RouterProvider router={router as never} />
    </I18nextProvider>,
  )
  await screen.findByRole('heading', { name: 'Reset your password' })
})

test('a submit moves the focus to the first invalid field', async () => {
  const code = screen.getByLabelText('Confirmation code')
  const password = screen.getByLabelText('New password')
  await userEvent.type(password, 'short')
  await userEvent.click(screen.getByRole('button', { name: 'Reset password' }))
  await screen.findByText('Confirmation code must be 6 characters long.')
  expect(code).toHaveFocus()
  await userEvent.type(code, '123456')
  await userEvent.click(screen.getByRole('button', { name: 'Reset password' }))
  expect(password).toHaveFocus()
})
