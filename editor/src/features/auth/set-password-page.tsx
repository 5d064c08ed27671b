import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Field } from '@/components/field'
import { PasswordChecklist } from '@/components/password-checklist'
import { PasswordInput } from '@/components/password-input'
import { answerChallenge } from '@/lib/api/identity'
import { expectOnboarding } from '@/lib/onboarding'
import { AuthForm, useAuthForm } from './auth-form'
import { type SetPasswordForm, setPasswordSchema } from './schemas'
import { challenge } from './use-complete-sign-in'

/** Sets the permanent password of an account that was created with a temporary one. */
export function SetPasswordPage() {
  const { t } = useTranslation('auth')
  const token = challenge.get()
  const { form, frame, errors } = useAuthForm<SetPasswordForm>(
    setPasswordSchema,
    { password: '', confirmation: '' },
    { failed: () => t('setPassword.failed'), submit: setPassword, fields: { new_password: 'password' } },
  )
  const expired = token ? null : { title: t('setPassword.failed'), reason: t('setPassword.expired') }
  return (
    <AuthForm
      title={t('setPassword.title')}
      help={t('setPassword.help')}
      submit={t('setPassword.submit')}
      {...frame}
      failure={frame.failure ?? expired}
      disabled={!token}
      footer={
        <Link to="/login" className="text-center font-semibold hover:underline">
          {t('backToSignIn')}
        </Link>
      }
    >
      <div className="flex flex-col gap-1.5">
        <Field label={t('newPassword')} error={errors.password?.message}>
          <PasswordInput autoComplete="new-password" autoFocus {...form.register('password')} />
        </Field>
        <PasswordChecklist password={form.watch('password')} />
      </div>
      <Field label={t('confirmPassword')} error={errors.confirmation?.message}>
        <PasswordInput autoComplete="new-password" {...form.register('confirmation')} />
      </Field>
    </AuthForm>
  )
}

async function setPassword({ password }: SetPasswordForm): Promise<void> {
  expectOnboarding()
  await answerChallenge(challenge.get() ?? '', password)
  challenge.clear()
}
