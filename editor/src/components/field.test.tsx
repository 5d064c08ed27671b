// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import '@/lib/i18n'
import { Field } from './field'
import { Input } from './input'
import { OtpInput } from './otp-input'
import { PasswordChecklist } from './password-checklist'
import { PasswordInput } from './password-input'
import { Segmented } from './segmented'
import { Slider } from './slider'

test('label, help and error are associated with the control', () => {
  render(
    <Field label="Email" help="Where mails go" error="Email is invalid." required>
      <Input />
    </Field>,
  )
  const input = screen.getByRole('textbox', { name: 'Email' })
  expect(input).toHaveAccessibleDescription('Email is invalid. Where mails go')
  expect(input).toBeInvalid()
  expect(input).toBeRequired()
  expect(screen.getByRole('alert')).toHaveTextContent('Email is invalid.')
})

test('a label names sliders and segmented controls, too', () => {
  render(
    <>
      <Field label="Images">
        <Slider min={1} max={8} value={4} onValueChange={() => undefined} />
      </Field>
      <Field label="Aspect ratio">
        <Segmented value="1:1" onValueChange={() => undefined} choices={[{ value: '1:1', label: '1:1' }]} />
      </Field>
    </>,
  )
  expect(screen.getByRole('slider', { name: 'Images' })).toHaveAttribute('aria-valuenow', '4')
  expect(screen.getByRole('radiogroup', { name: 'Aspect ratio' })).toBeVisible()
})

test('a password can be shown and hidden again', async () => {
  render(
    <Field label="Password">
      <PasswordInput defaultValue="secret" />
    </Field>,
  )
  const input = screen.getByLabelText('Password')
  expect(input).toHaveAttribute('type', 'password')
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }))
  expect(input).toHaveAttribute('type', 'text')
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }))
  expect(input).toHaveAttribute('type', 'password')
})

test('the checklist marks the rules that a password satisfies', () => {
  const met = () => screen.getAllByRole('listitem').filter((item) => item.dataset.met === 'true')
  const { rerender } = render(<PasswordChecklist password="" />)
  expect(screen.getAllByRole('listitem')).toHaveLength(5)
  expect(met()).toHaveLength(0)
  rerender(<PasswordChecklist password="abcdefgh" />)
  expect(met().map((item) => item.textContent)).toEqual(['8 charactersmet', 'One lowercase lettermet'])
  rerender(<PasswordChecklist password="Cold-brew 1" />)
  expect(met()).toHaveLength(5)
})

function Code({ onComplete }: { onComplete: (code: string) => void }) {
  const [code, setCode] = useState('')
  return <OtpInput aria-label="Code" value={code} onChange={setCode} onComplete={onComplete} />
}

test('a code can be pasted with other characters around its digits', async () => {
  const codes: string[] = []
  render(<Code onComplete={(code) => codes.push(code)} />)
  await userEvent.click(screen.getByRole('textbox', { name: 'Code' }))
  await userEvent.paste('Your code: 407-312')
  expect(codes).toEqual(['407312'])
})

test('a code accepts digits only', async () => {
  render(<Code onComplete={() => undefined} />)
  await userEvent.type(screen.getByRole('textbox', { name: 'Code' }), '4a0b7')
  expect(screen.getByRole('textbox', { name: 'Code' })).toHaveValue('407')
})
