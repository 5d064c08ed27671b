import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import { forgotPassword } from '@/lib/api/identity'
import { AuthForm } from './auth-form'
import { type ForgetForm, forgetSchema } from './schemas'
import { useAuthForm } from './use-auth-form'

/** Asks for the mail with the code. */
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
