import * as z from 'zod/mini'
import { i18n } from './i18n'

export type PasswordRule = 'length' | 'lowercase' | 'uppercase' | 'number' | 'special'

const tests: Record<PasswordRule, (password: string) => boolean> = {
  length: (password) => [...password].length >= 8,
  lowercase: (password) => /[a-z]/.test(password),
  uppercase: (password) => /[A-Z]/.test(password),
  number: (password) => /[0-9]/.test(password),
  special: (password) => /[^A-Za-z0-9\s]/.test(password),
}

export const passwordRules = Object.keys(tests) as PasswordRule[]

/** Whether a password to be set keeps one of the rules. */
export function meetsRule(rule: PasswordRule, password: string): boolean {
  return tests[rule](password)
}

/** A password to be set: the length is told first, then the mixture. */
export const newPassword = z.string().check(
  z.refine((password) => passwordRules.every((rule) => meetsRule(rule, password)), {
    error: ({ input }) =>
      i18n.t(meetsRule('length', String(input)) ? 'auth:invalid.passwordWeak' : 'auth:invalid.passwordShort'),
  }),
)

/** For a form with a `password` and its `confirmation`. */
export const confirmed = z.refine<{ password: string; confirmation: string }>(
  ({ password, confirmation }) => password === confirmation,
  // Told together with what else is wrong, not only after it.
  { error: () => i18n.t('auth:invalid.mismatch'), path: ['confirmation'], when: () => true },
)
