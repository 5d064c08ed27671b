// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { Field } from './field'
import { Input } from './input'

test('Tab reaches the control before what is beside its label', async () => {
  render(
    <Field label="Password" aside={<a href="/forget-password">Forgot password?</a>}>
      <Input />
    </Field>,
  )
  await userEvent.tab()
  expect(screen.getByLabelText('Password')).toHaveFocus()
  await userEvent.tab()
  expect(screen.getByRole('link', { name: 'Forgot password?' })).toHaveFocus()
})
