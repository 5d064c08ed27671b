import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import { OtpInput } from '@/components/otp-input'
import { PasswordChecklist } from '@/components/password-checklist'
import { PasswordInput } from '@/components/password-input'
import { confirmForgotPassword, forgotPassword } from '@/lib/api/identity'
import { sessionStore } from '@/lib/storage'
import { toastError, toastSuccess } from '@/lib/toasts'
import { AuthForm, useAuthForm } from './auth-form'
import { type ForgetForm, forgetSchema, type ResetForm, resetSchema } from './schemas'

const KEY = 'impasto.reset-password-of'

/** First the address, then code and new password; a reload keeps the step. */
export function ForgetPasswordPage() {
  const [username, setUsername] = useState(() => sessionStore.read<string>(KEY))
  const go = (to: string | null) => {
    sessionStore.write(KEY, to)
    setUsername(to)
  }
  return username ? (
    <ResetPassword username={username} onLeave={() => go(null)} />
  ) : (
    <RequestReset onSent={go} />
  )
}

/** Requests the e-mail with the code. */
export function RequestReset({ onSent }: { onSent: (username: string) => void }) {
  const { t } = useTranslation('auth')
  const { form, frame, errors } = useAuthForm<ForgetForm>(
    forgetSchema,
    { username: '' },
    {
      failed: () => t('forget.failed'),
      submit: async ({ username }) => {
        await forgotPassword(username)
        onSent(username)
      },
      fields: { username: 'username' },
    },
  )
  return (
    <AuthForm
      title={t('forget.title')}
      help={t('forget.help')}
      submit={t('forget.submit')}
      {...frame}
      footer={
        <Link to="/login" className="text-center font-semibold hover:underline">
          {t('backToSignIn')}
        </Link>
      }
    >
      <Field label={t('email')} error={errors.username?.message}>
        <Input
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          {...form.register('username')}
        />
      </Field>
    </AuthForm>
  )
}

type ResetPasswordProps = { username: string; onLeave: () => void }

/** Sets the new password with the code from the e-mail. */
export function ResetPassword({ username, onLeave }: ResetPasswordProps) {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const { form, frame, errors } = useAuthForm<ResetForm>(
    resetSchema,
    { code: '', password: '', confirmation: '' },
    {
      failed: () => t('reset.failed'),
      submit: async ({ code, password }) => {
        await confirmForgotPassword(username, code, password)
        toastSuccess(t('reset.done'))
        await navigate({ to: '/login', replace: true })
        onLeave()
      },
      fields: { confirmation_code: 'code', new_password: 'password' },
    },
  )
  return (
    <AuthForm
      title={t('reset.title')}
      help={t('reset.sent', { username })}
      submit={t('reset.submit')}
      {...frame}
      footer={
        <div className="flex justify-center gap-2">
          <Button
            variant="ghost"
            onClick={() => void sendAgain(username, t('reset.resent'), t('forget.failed'))}
          >
            {t('reset.resend')}
          </Button>
          <Button variant="ghost" onClick={onLeave}>
            {t('reset.otherEmail')}
          </Button>
        </div>
      }
    >
      <Controller
        control={form.control}
        name="code"
        render={({ field: { ref: _, ...field } }) => (
          <Field label={t('code')} error={errors.code?.message}>
            <OtpInput size="md" autoFocus {...field} />
          </Field>
        )}
      />
      <div className="flex flex-col gap-1.5">
        <Field label={t('newPassword')} error={errors.password?.message}>
          <PasswordInput autoComplete="new-password" {...form.register('password')} />
        </Field>
        <PasswordChecklist password={form.watch('password')} />
      </div>
      <Field label={t('confirmPassword')} error={errors.confirmation?.message}>
        <PasswordInput autoComplete="new-password" {...form.register('confirmation')} />
      </Field>
    </AuthForm>
  )
}

async function sendAgain(username: string, sent: string, failed: string): Promise<void> {
  await forgotPassword(username).then(
    () => toastSuccess(sent),
    (error) => toastError(failed, error),
  )
}
