import { Link, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import { PasswordInput } from '@/components/password-input'
import { isApiError, messageOf } from '@/lib/api/error'
import { AuthForm } from './auth-form'
import { OidcSignIn } from './oidc-sign-in'
import { type LoginForm, loginSchema } from './schemas'
import { useAuthForm } from './use-auth-form'
import { useCompleteSignIn } from './use-complete-sign-in'

export function LoginPage() {
  const { t } = useTranslation('auth')
  const { next, failed } = useSearch({ from: '/public/login' })
  const enter = useCompleteSignIn(next)
  const { form, frame, errors } = useAuthForm<LoginForm>(
    loginSchema,
    { username: '', password: '' },
    {
      failed: (error) => (isApiError(error, 'invalid_credentials') ? t('login.failed') : messageOf(error)),
      submit: enter,
      fields: { username: 'username', password: 'password' },
    },
  )
  return (
    <AuthForm
      title={t('login.title')}
      submit={t('login.submit')}
      {...frame}
      footer={
        <>
          <OidcSignIn next={next} failed={failed === 'oidc'} />
          <p className="text-center text-muted">
            {t('login.new')}{' '}
            <Link to="/signup" search={{ next }} className="font-semibold text-ink hover:underline">
              {t('login.create')}
            </Link>
          </p>
        </>
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
      <Field
        label={t('password')}
        error={errors.password?.message}
        aside={
          <Link to="/forget-password" className="text-muted text-xs hover:text-ink hover:underline">
            {t('login.forgot')}
          </Link>
        }
      >
        <PasswordInput autoComplete="current-password" {...form.register('password')} />
      </Field>
    </AuthForm>
  )
}
