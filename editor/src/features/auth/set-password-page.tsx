import { useTranslation } from 'react-i18next'
import { answerChallenge } from '@/lib/api/identity'
import { expectOnboarding } from '@/lib/onboarding'
import { AuthForm, useAuthForm } from './auth-form'
import { BackToSignIn, NewPasswordFields } from './fields'
import { type SetPasswordForm, setPasswordSchema } from './schemas'
import { challenge } from './use-complete-sign-in'
import '@/lib/i18n/auth'

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
      footer={<BackToSignIn />}
    >
      <NewPasswordFields
        label={t('newPassword')}
        typed={form.watch('password')}
        password={{ ...form.register('password'), autoFocus: true }}
        confirmation={form.register('confirmation')}
        errors={errors}
      />
    </AuthForm>
  )
}

async function setPassword({ password }: SetPasswordForm): Promise<void> {
  expectOnboarding()
  await answerChallenge(challenge.get() ?? '', password)
  challenge.clear()
}
