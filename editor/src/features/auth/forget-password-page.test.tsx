// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { renderPage } from '@/test/render-page'
import { ResetPassword } from './forget-password-page'

beforeEach(async () => {
  renderPage(() => <ResetPassword username="mara" onDone={() => undefined} onLeave={() => undefined} />)
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
