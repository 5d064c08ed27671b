import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import { Skeleton } from '@/components/surfaces'
import { isApiError } from '@/lib/api/error'
import { registrationQuery, signUp } from '@/lib/api/identity'
import { useTitle } from '@/lib/browser-hooks'
import { pendingAccount } from '@/lib/onboarding'
import { AuthForm, useAuthForm } from './auth-form'
import { NewPasswordFields, UsernameInput } from './fields'
import { type SignupForm as SignupValues, signupSchema } from './schemas'
import '@/lib/i18n/auth'

/** The form, or on servers where only invited users sign up, what to do instead. */
export function SignupPage() {
  const { data: rule, isPending } = useQuery(registrationQuery)
  if (isPending) return <Skeleton className="h-96" />
  return rule?.mode === 'invite' || rule?.mode === 'closed' ? (
    <NoSignup mode={rule.mode} />
  ) : (
    <SignupForm sentence={rule?.sentence} />
  )
}

function NoSignup({ mode }: { mode: 'invite' | 'closed' }) {
  const { t } = useTranslation('auth')
  useTitle(t('signup.title'))
  return (
    <div className="flex flex-col gap-4.5">
      <header>
        <h1 className="font-serif text-display">{t(`signup.${mode}.title`)}</h1>
        <p className="mt-3 text-md text-muted">{t(`signup.${mode}.help`)}</p>
      </header>
      <Button size="lg" shape="block" variant="primary" asChild>
        <Link to="/login">{t('signup.signIn')}</Link>
      </Button>
    </div>
  )
}

/** `sentence` says who may sign up, if not everyone. */
function SignupForm({ sentence }: { sentence: string | undefined }) {
  const { t } = useTranslation('auth')
  const { next } = useSearch({ from: '/public/signup' })
  const create = useCreateAccount(next)
  const before = pendingAccount.get()
  const { form, frame, errors } = useAuthForm<SignupValues>(
    signupSchema,
    { username: before?.username ?? '', email: before?.email ?? '', password: '', confirmation: '' },
    {
      failed: (error) => t(isApiError(error, 'user_exists') ? 'signup.exists' : 'signup.failed'),
      submit: create,
      fields: { username: 'username', email: 'email', password: 'password' },
    },
  )
  return (
    <AuthForm
      title={t('signup.title')}
      submit={t('signup.submit')}
      help={sentence}
      {...frame}
      footer={
        <>
          <Consent />
          <p className="text-center text-muted">
            {t('signup.existing')}{' '}
            <Link to="/login" search={{ next }} className="font-semibold text-ink hover:underline">
              {t('signup.signIn')}
            </Link>
          </p>
        </>
      }
    >
      <Field label={t('username')} error={errors.username?.message}>
        <UsernameInput autoFocus {...form.register('username')} />
      </Field>
      <Field label={t('email')} error={errors.email?.message}>
        <Input type="email" autoComplete="email" {...form.register('email')} />
      </Field>
      <NewPasswordFields
        label={t('password')}
        typed={form.watch('password')}
        password={form.register('password')}
        confirmation={form.register('confirmation')}
        errors={errors}
      />
    </AuthForm>
  )
}

function useCreateAccount(next: string | undefined) {
  const navigate = useNavigate()
  return async ({ username, email, password }: SignupValues): Promise<void> => {
    const { destination, delayed } = await signUp({ username, email, password })
    pendingAccount.set({ username, email, destination, delayed, sentAt: Date.now() })
    await navigate({ to: '/onboarding/company', search: { next } })
  }
}

type LegalDocument = 'terms' | 'privacy'

/** The consent line; both documents open in a dialog, so that the form keeps its values. */
export function Consent() {
  const { t } = useTranslation('auth')
  const [document, setDocument] = useState<LegalDocument | null>(null)
  return (
    <div className="text-center text-muted text-xs">
      <Trans
        t={t}
        i18nKey="signup.consent"
        components={{
          terms: <DocumentLink onOpen={() => setDocument('terms')} />,
          privacy: <DocumentLink onOpen={() => setDocument('privacy')} />,
        }}
      />
      <Dialog
        open={document !== null}
        onOpenChange={(open) => !open && setDocument(null)}
        title={t(`legal.${document ?? 'terms'}.title`)}
      >
        <ul className="flex list-disc flex-col gap-2 pl-5 leading-relaxed">
          {t(`legal.${document ?? 'terms'}.points`, { returnObjects: true }).map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      </Dialog>
    </div>
  )
}

function DocumentLink({ onOpen, children }: { onOpen: () => void; children?: ReactNode }) {
  return (
    <button type="button" onClick={onOpen} className="rounded-xs underline hover:text-ink">
      {children}
    </button>
  )
}
