import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Field, FormError } from '@/components/field'
import { Input } from '@/components/input'
import { PasswordInput } from '@/components/password-input'
import { Card, Skeleton } from '@/components/surfaces'
import { ApiError, messageOf } from '@/lib/api/error'
import { changeEmail, confirmEmail, secondFactorsQuery } from '@/lib/api/security'
import { readEmailLink } from '@/lib/code-link'
import { emailAddress } from '@/lib/email-address'
import { i18n } from '@/lib/i18n'
import { toastSuccess } from '@/lib/toasts'
import { CodeDialog } from './code-dialog'

/** The code that was sent to `email`. `token` and `code` are set if the user came by the e-mail's link. */
type Sent = { email: string; code?: string; token?: string }

/** The e-mail address of the user, with a dialog that changes it. */
export function EmailAddress({ email }: { email: string | null }) {
  const { t } = useTranslation('account')
  const { data, isPending, isError, refetch } = useQuery(secondFactorsQuery)
  const [sent, setSent] = useState<Sent | null>(() => readEmailLink())
  const [isOpen, setOpen] = useState(sent !== null)

  function close() {
    setOpen(false)
    setSent(null)
    if (readEmailLink()) window.history.replaceState(window.history.state, '', window.location.pathname)
  }
  return (
    <Card className="flex flex-col gap-3.5 p-5.5">
      <h2 className="font-serif text-title">{t('email.title')}</h2>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 break-all">{email ?? t('email.none')}</p>
        {isPending && <Skeleton className="h-10 w-28" />}
        {data?.has_password && <Button onClick={() => setOpen(true)}>{t('email.change')}</Button>}
        {isError && <Button onClick={() => void refetch()}>{t('retry', { ns: 'common' })}</Button>}
      </div>
      {isError && <p className="text-muted">{t('email.loadFailed')}</p>}
      {data && !data.has_password && <p className="text-muted">{t('email.managed')}</p>}
      {isOpen && !sent && <RequestChange onClose={close} onSent={(to) => setSent({ email: to })} />}
      {isOpen && sent && <ConfirmChange sent={sent} onClose={close} onOther={() => setSent(null)} />}
    </Card>
  )
}

const schema = z.object({
  email: emailAddress,
  password: z.string().check(z.minLength(1, { error: () => i18n.t('account:password.required') })),
})
type RequestForm = z.infer<typeof schema>

function RequestChange({ onClose, onSent }: { onClose: () => void; onSent: (email: string) => void }) {
  const { t } = useTranslation('account')
  const id = useId()
  const [failure, setFailure] = useState<string | null>(null)
  const form = useForm<RequestForm>({
    resolver: standardSchemaResolver(schema),
    defaultValues: { email: '', password: '' },
  })
  const { errors, isSubmitting } = form.formState

  const onSubmit = form.handleSubmit(async ({ email, password }) => {
    setFailure(null)
    try {
      await changeEmail(email, password)
      onSent(email)
    } catch (reason) {
      const [field] = reason instanceof ApiError ? reason.errors : []
      if (field?.path === 'email' || field?.path === 'password')
        form.setError(field.path, { message: field.message }, { shouldFocus: true })
      else setFailure(messageOf(reason))
    }
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      size="sm"
      title={t('email.change')}
      description={t('email.help')}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t('cancel', { ns: 'common' })}
          </Button>
          <Button type="submit" form={id} variant="primary" busy={isSubmitting}>
            {t('email.sendCode')}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isSubmitting) void onSubmit(event)
        }}
        className="flex flex-col gap-3.5"
      >
        <Field label={t('email.new')} error={errors.email?.message}>
          <Input type="email" autoComplete="email" autoFocus {...form.register('email')} />
        </Field>
        <Field label={t('password.current')} error={errors.password?.message}>
          <PasswordInput autoComplete="current-password" {...form.register('password')} />
        </Field>
        <FormError title={failure && t('email.failed')}>{failure}</FormError>
      </form>
    </Dialog>
  )
}

type ConfirmChangeProps = { sent: Sent; onClose: () => void; onOther: () => void }

function ConfirmChange({ sent: { email, code, token }, onClose, onOther }: ConfirmChangeProps) {
  const { t } = useTranslation('account')
  return (
    <CodeDialog
      title={t('email.change')}
      help={t('email.sent', { email })}
      label={t('email.code')}
      missing={t('email.codeMissing')}
      submit={t('email.confirm')}
      initialCode={code}
      other={{ label: t('email.other'), onPress: onOther }}
      onClose={onClose}
      onConfirm={async (entered) => {
        await confirmEmail(email, entered, token)
        toastSuccess(t('email.changed'))
        onClose()
      }}
    />
  )
}
