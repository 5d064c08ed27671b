import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field, FormError } from '@/components/field'
import { Skeleton } from '@/components/surfaces'
import { isApiError, messageOf } from '@/lib/api/error'
import { acceptInvitation, invitationQuery } from '@/lib/api/identity'
import { expectOnboarding } from '@/lib/onboarding'
import { AuthForm, useAuthForm } from './auth-form'
import { BackToSignIn, NewPasswordFields, UsernameInput } from './fields'
import { type InvitationForm, invitationSchema } from './schemas'
import { Consent } from './signup-page'
import '@/lib/i18n/auth'

/** Creates the account of an invitation. The token is in the fragment, which no server sees in its log. */
export function InvitationPage() {
  const { t } = useTranslation('auth')
  const [token] = useState(() => window.location.hash.slice(1))
  const { data, error } = useQuery(invitationQuery(token))
  if (error) {
    return (
      <div className="flex flex-col gap-4.5">
        <h1 className="font-serif text-display">{t('invitation.title')}</h1>
        <FormError title={messageOf(error)} />
        <BackToSignIn />
      </div>
    )
  }
  if (!data) return <Skeleton className="h-80" />
  return <AcceptForm token={token} email={data.email} />
}

function AcceptForm({ token, email }: { token: string; email: string }) {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const { form, frame, errors } = useAuthForm<InvitationForm>(
    invitationSchema,
    { username: '', password: '', confirmation: '' },
    {
      failed: (error) => t(isApiError(error, 'user_exists') ? 'invitation.exists' : 'invitation.failed'),
      submit: async ({ username, password }) => {
        expectOnboarding()
        await acceptInvitation(token, username, password)
        await navigate({ to: '/onboarding/company', replace: true })
      },
      fields: { username: 'username', password: 'password' },
    },
  )
  return (
    <AuthForm
      title={t('invitation.title')}
      help={t('invitation.help', { email })}
      submit={t('invitation.submit')}
      {...frame}
      footer={
        <>
          <Consent />
          <BackToSignIn />
        </>
      }
    >
      <Field label={t('username')} error={errors.username?.message}>
        <UsernameInput {...form.register('username')} />
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
