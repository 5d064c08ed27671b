import * as z from 'zod/mini'
import { emailAddress } from '@/lib/email-address'
import { i18n } from '@/lib/i18n'
import { confirmed, newPassword } from '@/lib/passwords'
import '@/lib/i18n/auth'

const atLeast = (length: number, message: () => string) =>
  z.string().check(z.trim(), z.minLength(length, { error: message }))

const username = atLeast(2, () => i18n.t('auth:invalid.username'))

export const loginSchema = z.object({
  username,
  password: z.string().check(z.minLength(6, { error: () => i18n.t('auth:invalid.loginPassword') })),
})
export type LoginForm = z.infer<typeof loginSchema>

export const signupSchema = z
  .object({
    username,
    email: emailAddress,
    password: newPassword,
    confirmation: z.string(),
  })
  .check(confirmed)
export const invitationSchema = z
  .object({ username, password: newPassword, confirmation: z.string() })
  .check(confirmed)
export type InvitationForm = z.infer<typeof invitationSchema>

export type SignupForm = z.infer<typeof signupSchema>

export const setPasswordSchema = z
  .object({ password: newPassword, confirmation: z.string() })
  .check(confirmed)
export type SetPasswordForm = z.infer<typeof setPasswordSchema>

export const forgetSchema = z.object({ username: atLeast(2, () => i18n.t('auth:invalid.emailShort')) })
export type ForgetForm = z.infer<typeof forgetSchema>

export const resetSchema = z
  .object({
    code: z.string().check(z.length(6, { error: () => i18n.t('auth:invalid.code') })),
    password: newPassword,
    confirmation: z.string(),
    /** The second factor, if one is asked for. */
    second: z.string(),
  })
  .check(confirmed)
export type ResetForm = z.infer<typeof resetSchema>
