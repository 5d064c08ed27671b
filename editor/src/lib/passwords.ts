import * as z from 'zod/mini'
import { i18n } from './i18n'
import './i18n/auth'

export type PasswordRule = 'length' | 'lowercase' | 'uppercase' | 'number' | 'special'

const tests: Record<PasswordRule, (password: string) => boolean> = {
  length: (password) => [...password].length >= 8,
  lowercase: (password) => /[a-z]/.test(password),
  uppercase: (password) => /[A-Z]/.test(password),
  number: (password) => /[0-9]/.test(password),
  special: (password) => /[^A-Za-z0-9\s]/.test(password),
}

export const passwordRules = Object.keys(tests) as PasswordRule[]

/** Whether a new password satisfies a rule. */
export function meetsRule(rule: PasswordRule, password: string): boolean {
  return tests[rule](password)
}

/** Schema of a new password: the length is checked first, then the character classes. */
export const newPassword = z.string().check(
  z.refine((password) => passwordRules.every((rule) => meetsRule(rule, password)), {
    error: ({ input }) =>
      i18n.t(meetsRule('length', String(input)) ? 'auth:invalid.passwordWeak' : 'auth:invalid.passwordShort'),
  }),
)

/** Schema of a form with a `password` and its `confirmation`. */
export const confirmed = z.refine<{ password: string; confirmation: string }>(
  ({ password, confirmation }) => password === confirmation,
  // Reported together with the other errors, not after them.
  { error: () => i18n.t('auth:invalid.mismatch'), path: ['confirmation'], when: () => true },
)
