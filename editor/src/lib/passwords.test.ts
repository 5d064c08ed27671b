import { expect, test } from 'vitest'
import { newPassword } from './passwords'

const short = 'Password must be at least 8 characters.'
const weak =
  'Password must contain at least one uppercase letter, one lowercase letter, one number and one special character.'

test.each([
  ['Ab1!', [short]],
  ['Abcde1!', [short]],
  ['Abcdef1!', []],
  ['abcdef1!', [weak]],
  ['ABCDEF1!', [weak]],
  ['Abcdefg!', [weak]],
  ['Abcdefg1', [weak]],
  ['Abcdef 1', [weak]],
  ['Äbcdef1!', [weak]],
  ['Åbcdefg1é', [weak]],
  ['Passwörd 1!', []],
])('%s', (password, messages) => {
  const { error } = newPassword.safeParse(password)
  expect(error?.issues.map(({ message }) => message) ?? []).toEqual(messages)
})
