import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import { OtpInput } from '@/components/otp-input'
import { isApiError } from '@/lib/api/error'
import { confirmForgotPassword, forgotPassword, type SecondFactorProof } from '@/lib/api/identity'
import { type CodeLink, readCodeLink } from '@/lib/code-link'
import { sessionStore } from '@/lib/storage'
import { toastError, toastSuccess } from '@/lib/toasts'
import { useWrongCodes } from '@/lib/use-wrong-codes'
import { AuthForm, useAuthForm } from './auth-form'
import { BackToSignIn, NewPasswordFields, UsernameInput } from './fields'
import { type ForgetForm, forgetSchema, type ResetForm, resetSchema } from './schemas'
import { PasskeyButton, proofOf } from './second-factor'
import '@/lib/i18n/auth'

const KEY = 'impasto.reset-password-of'

/** First the address, then code and new password; a reload keeps the step, and Back returns to the first. */
export function ForgetPasswordPage() {
  const navigate = useNavigate()
  const { step } = useSearch({ from: '/public/forget-password' })
  const [link, setLink] = useState(() => readCodeLink())
  const username = link?.username ?? (step === 'code' ? sessionStore.read<string>(KEY) : null)
  async function enterCode(to: string) {
    sessionStore.write(KEY, to)
    await navigate({ to: '/forget-password', search: { step: 'code' } })
  }
  function chooseOther() {
    sessionStore.write(KEY, null)
    setLink(null)
    void navigate({ to: '/forget-password', replace: true })
  }
  if (!username) return <RequestReset onSent={enterCode} />
  return (
    <ResetPassword
      username={username}
      link={link}
      onDone={() => sessionStore.write(KEY, null)}
      onLeave={chooseOther}
    />
  )
}

/** Requests the e-mail with the code. */
export function RequestReset({ onSent }: { onSent: (username: string) => Promise<void> }) {
  const { t } = useTranslation('auth')
  const { form, frame, errors } = useAuthForm<ForgetForm>(
    forgetSchema,
    { username: '' },
    {
      failed: () => t('forget.failed'),
      submit: async ({ username }) => {
        await forgotPassword(username)
        await onSent(username)
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
      footer={<BackToSignIn />}
    >
      <Field label={t('email')} error={errors.username?.message}>
        <UsernameInput autoFocus {...form.register('username')} />
      </Field>
    </AuthForm>
  )
}

type ResetPasswordProps = {
  username: string
  link?: CodeLink | null
  /** Called when the password has been changed. */
  onDone: () => void
  onLeave: () => void
}

/** Sets the new password with the code from the e-mail. */
export function ResetPassword({ username, link, onDone, onLeave }: ResetPasswordProps) {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const [asked, setAsked] = useState<{ token: string; factors: string[] } | null>(null)
  const wrongCodes = useWrongCodes()

  async function reset(code: string, password: string, proof: SecondFactorProof | null): Promise<void> {
    try {
      await confirmForgotPassword(username, code, password, { token: link?.token, proof })
    } catch (error) {
      if (!isApiError(error, 'second_factor_required')) throw wrongCodes.explained(error)
      return setAsked(error.secondFactor)
    }
    toastSuccess(t('reset.done'))
    onDone()
    await navigate({ to: '/login', replace: true })
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
  // Registered before the other fields, because an invalid form focuses its fields in the order of registration.
  const { field: code } = useController({ control: form.control, name: 'code' })
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
            onClick={() => {
              wrongCodes.reset()
              void sendAgain(username, t('reset.resent'), t('forget.failed'))
            }}
          >
            {t('reset.resend')}
          </Button>
          <Button variant="ghost" onClick={onLeave}>
            {t('reset.otherEmail')}
          </Button>
        </div>
      }
    >
      <Field label={t('code')} error={errors.code?.message}>
        <OtpInput size="md" autoFocus {...code} />
      </Field>
      <NewPasswordFields
        label={t('newPassword')}
        typed={form.watch('password')}
        password={form.register('password')}
        confirmation={form.register('confirmation')}
        errors={errors}
      />
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
