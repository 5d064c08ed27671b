import { expect, test } from 'vitest'
import { forgetSchema, loginSchema, resetSchema, setPasswordSchema, signupSchema } from './schemas'

const good = 'Cold-brew 1'
const messages = (
  schema: { safeParse: (value: unknown) => { error?: { issues: { message: string }[] } } },
  value: object,
) => schema.safeParse(value).error?.issues.map(({ message }) => message) ?? []

test.each([
  [{ username: 'm', password: '123456' }, ['Username must be at least 2 characters.']],
  [{ username: ' m ', password: '123456' }, ['Username must be at least 2 characters.']],
  [{ username: 'ma', password: '12345' }, ['Password must be at least 6 characters.']],
  [{ username: 'ma', password: '123456' }, []],
])('login %j', (value, expected) => expect(messages(loginSchema, value)).toEqual(expected))

test.each([
  [{ email: 'mara@northbound' }, ['Email is invalid.']],
  [{ email: 'mara' }, ['Email is invalid.']],
  [{ email: 'mara@müller-kaffee.de' }, []],
  [{ email: 'jürgen@xn--mller-kva.de' }, []],
  [{ email: 'mara@northbound..coffee' }, ['Email is invalid.']],
  [{ username: 'm' }, ['Username must be at least 2 characters.']],
  [{ confirmation: 'Cold-brew 2' }, ['Passwords do not match.']],
  [
    { email: 'mara', password: 'short', confirmation: 'other' },
    ['Email is invalid.', 'Password must be at least 8 characters.', 'Passwords do not match.'],
  ],
  [{}, []],
])('sign-up %j', (change, expected) => {
  const value = {
    username: 'mara',
    email: 'mara@northbound.coffee',
    password: good,
    confirmation: good,
    ...change,
  }
  expect(messages(signupSchema, value)).toEqual(expected)
})

test('set-password: the confirmation must match', () => {
  expect(messages(setPasswordSchema, { password: good, confirmation: 'x' })).toEqual([
    'Passwords do not match.',
  ])
})

test.each([
  ['1234', ['Confirmation code must be 6 characters long.']],
  ['1234567', ['Confirmation code must be 6 characters long.']],
  ['123456', []],
])('resetting with the code %s', (code, expected) => {
  expect(messages(resetSchema, { code, password: good, confirmation: good, second: '' })).toEqual(expected)
})

test('reset: the user name needs at least two characters', () => {
  expect(messages(forgetSchema, { username: 'm' })).toHaveLength(1)
  expect(messages(forgetSchema, { username: 'ma' })).toEqual([])
})
