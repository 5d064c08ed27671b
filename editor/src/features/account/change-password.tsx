import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { Button } from '@/components/button'
import { Checkbox } from '@/components/checkbox'
import { Field, FormError } from '@/components/field'
import { PasswordChecklist } from '@/components/password-checklist'
import { PasswordInput } from '@/components/password-input'
import { Card } from '@/components/surfaces'
import { messageOf } from '@/lib/api/error'
import { changePassword } from '@/lib/api/identity'
import { i18n } from '@/lib/i18n'
import { confirmed, newPassword } from '@/lib/passwords'
import { toastSuccess } from '@/lib/toasts'

const schema = z
  .object({
    old: z.string().check(z.minLength(1, { error: () => i18n.t('account:password.required') })),
    password: newPassword,
    confirmation: z.string(),
  })
  .check(confirmed)
type PasswordForm = z.infer<typeof schema>

export function ChangePassword() {
  const { t } = useTranslation('account')
  const [failure, setFailure] = useState<string | null>(null)
  const form = useForm<PasswordForm>({
    resolver: standardSchemaResolver(schema),
    defaultValues: { old: '', password: '', confirmation: '' },
  })
  const { errors, isSubmitting } = form.formState
  const revokeId = useId()
  const [revokeKeys, setRevokeKeys] = useState(false)
  const typed = form.watch('password')
  const onSubmit = form.handleSubmit(async ({ old, password }) => {
    setFailure(null)
    try {
      await changePassword(old, password, revokeKeys)
      form.reset()
      toastSuccess(t('password.changed'))
    } catch (error) {
      setFailure(messageOf(error))
    }
  })
  return (
    <Card className="p-5.5">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isSubmitting) void onSubmit(event)
        }}
        className="flex flex-col gap-3.5"
      >
        <h2 className="font-serif text-title">{t('password.title')}</h2>
        <div className="grid items-start gap-3.5 sm:grid-cols-3">
          <Field label={t('password.current')} error={errors.old?.message}>
            <PasswordInput autoComplete="current-password" {...form.register('old')} />
          </Field>
          <Field label={t('password.new')} error={errors.password?.message}>
            <PasswordInput autoComplete="new-password" {...form.register('password')} />
          </Field>
          <Field label={t('password.confirm')} error={errors.confirmation?.message}>
            <PasswordInput autoComplete="new-password" {...form.register('confirmation')} />
          </Field>
        </div>
        {typed && <PasswordChecklist password={typed} />}
        <FormError title={failure && t('password.failed')}>
          {failure === t('password.failed') ? null : failure}
        </FormError>
        <div className="flex items-center gap-2.5 text-sm">
          <Checkbox id={revokeId} checked={revokeKeys} onCheckedChange={(on) => setRevokeKeys(on === true)} />
          <label htmlFor={revokeId}>{t('password.revokeKeys')}</label>
        </div>
        <Button type="submit" variant="primary" busy={isSubmitting} className="self-end">
          {t('password.submit')}
        </Button>
      </form>
    </Card>
  )
}
