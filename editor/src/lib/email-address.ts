import * as z from 'zod/mini'
import { i18n } from './i18n'
import './i18n/auth'

/** Letters of any alphabet, as in internationalized domain names; the server checks addresses exactly. */
const EMAIL = /^[^\s@"]{1,64}@(?:[^\s@.]+\.)+[^\s@.]{2,}$/u

/** An e-mail address in a form. */
export const emailAddress = z
  .string()
  .check(z.trim(), z.email({ pattern: EMAIL, error: () => i18n.t('auth:invalid.email') }))
