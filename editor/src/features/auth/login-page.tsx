import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Field, FormError } from '@/components/field'
import { PasswordInput } from '@/components/password-input'
import { isApiError, messageOf } from '@/lib/api/error'
import { type Challenge, providersQuery, signInWithPasskey } from '@/lib/api/identity'
import { hasPasskeys } from '@/lib/passkeys'
import { AuthForm, useAuthForm } from './auth-form'
import { UsernameInput } from './fields'
import { type LoginForm, loginSchema } from './schemas'
import { SecondFactorStep } from './second-factor'
import { useCompleteSignIn } from './use-complete-sign-in'
import '@/lib/i18n/auth'

/** The password, then the second factor of accounts that have one. */
export function LoginPage() {
  const { next } = useSearch({ from: '/public/login' })
  const [pending, setPending] = useState<Challenge | null>(null)
  const { enter, proceed } = useCompleteSignIn(next, setPending)
  return pending ? (
    <SecondFactorStep challenge={pending} onDone={proceed} onLeave={() => setPending(null)} />
  ) : (
    <PasswordStep enter={enter} />
  )
}

function PasswordStep({ enter }: { enter: (values: LoginForm) => Promise<void> }) {
  const { t } = useTranslation('auth')
  const { next, failed } = useSearch({ from: '/public/login' })
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
          <PasskeySignIn />
          <OidcSignIn next={next} failed={failed} />
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
        <UsernameInput autoFocus {...form.register('username')} />
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

/** Sign-in with a passkey, without a password. */
function PasskeySignIn() {
  const { t } = useTranslation('auth')
  const [failure, setFailure] = useState<string | null>(null)
  if (!hasPasskeys()) return null
  const start = () => {
    setFailure(null)
    signInWithPasskey().catch((error: unknown) => setFailure(messageOf(error)))
  }
  return (
    <>
      <FormError title={failure} />
      <Button size="lg" shape="block" onClick={start}>
        <KeyRound />
        {t('login.passkey')}
      </Button>
    </>
  )
}

type SignInFailure = 'oidc' | 'suspended' | 'sign_up'
const FAILURES = {
  oidc: 'login.oidcFailed',
  suspended: 'login.suspended',
  sign_up: 'login.noSignUp',
} as const

type OidcSignInProps = { next: string | undefined; failed: SignInFailure | undefined }

/** Sign-in through the configured OIDC providers. */
export function OidcSignIn({ next, failed }: OidcSignInProps) {
  const { t } = useTranslation('auth')
  const { data: providers } = useQuery(providersQuery)
  if (!providers?.length) return null
  return (
    <>
      <FormError title={failed && t(FAILURES[failed])} />
      <div className="flex items-center gap-3 text-faint text-xs before:h-px before:flex-1 before:bg-hairline after:h-px after:flex-1 after:bg-hairline">
        {t('login.or')}
      </div>
      {providers.map(({ name, start_url }) => (
        <Button key={name} size="lg" shape="block" asChild>
          <a href={startAt(start_url, next)}>{t('login.oidc', { name })}</a>
        </Button>
      ))}
    </>
  )
}

/** The provider redirects back to the sign-in page, which starts the session from the cookie. */
function startAt(url: string, next: string | undefined): string {
  const back = next ? `/login?arrived=true&next=${encodeURIComponent(next)}` : '/login?arrived=true'
  return `${url}?return_to=${encodeURIComponent(back)}`
}
