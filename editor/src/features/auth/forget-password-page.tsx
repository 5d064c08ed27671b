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
import { isApiError } from '@/lib/api/error'
import { confirmForgotPassword, forgotPassword, type SecondFactorProof } from '@/lib/api/identity'
import { type CodeLink, readCodeLink } from '@/lib/code-link'
import { sessionStore } from '@/lib/storage'
import { toastError, toastSuccess } from '@/lib/toasts'
import { AuthForm, useAuthForm } from './auth-form'
import { type ForgetForm, forgetSchema, type ResetForm, resetSchema } from './schemas'
import { PasskeyButton, proofOf } from './second-factor'

const KEY = 'impasto.reset-password-of'

/** First the address, then code and new password; a reload keeps the step. */
export function ForgetPasswordPage() {
  const [link] = useState(() => readCodeLink())
  const [username, setUsername] = useState(() => link?.username ?? sessionStore.read<string>(KEY))
  const go = (to: string | null) => {
    sessionStore.write(KEY, to)
    setUsername(to)
  }
  return username ? (
    <ResetPassword username={username} link={link} onLeave={() => go(null)} />
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

type ResetPasswordProps = { username: string; link?: CodeLink | null; onLeave: () => void }

/** Sets the new password with the code from the e-mail. */
export function ResetPassword({ username, link, onLeave }: ResetPasswordProps) {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const [asked, setAsked] = useState<{ token: string; factors: string[] } | null>(null)

  async function reset(code: string, password: string, proof: SecondFactorProof | null): Promise<void> {
    try {
      await confirmForgotPassword(username, code, password, { token: link?.token, proof })
    } catch (error) {
      if (!isApiError(error, 'second_factor_required')) throw error
      return setAsked(error.secondFactor)
    }
    toastSuccess(t('reset.done'))
    await navigate({ to: '/login', replace: true })
    onLeave()
  }
  const { form, frame, errors } = useAuthForm<ResetForm>(
    resetSchema,
    { code: link?.code ?? '', password: '', confirmation: '', second: '' },
    {
      failed: () => t('reset.failed'),
      submit: ({ code, password, second }) => reset(code, password, asked && proofOf(second)),
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
      {asked && (
        <>
          <Field label={t('second.code')} help={t('second.resetHelp')}>
            <Input autoComplete="one-time-code" spellCheck={false} autoFocus {...form.register('second')} />
          </Field>
          {asked.factors.includes('passkey') && (
            <PasskeyButton
              token={asked.token}
              onProof={(proof) => reset(form.getValues('code'), form.getValues('password'), proof)}
            />
          )}
        </>
      )}
    </AuthForm>
  )
}

async function sendAgain(username: string, sent: string, failed: string): Promise<void> {
  await forgotPassword(username).then(
    () => toastSuccess(sent),
    (error) => toastError(failed, error),
  )
}
