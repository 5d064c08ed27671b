import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Field, FormError } from '@/components/field'
import { Input } from '@/components/input'
import { PasswordInput } from '@/components/password-input'
import { messageOf } from '@/lib/api/error'

type ConfirmPasswordProps = {
  title: string
  help?: string
  /** The label of the confirming button. */
  submit: string
  danger?: boolean
  /** Whether to ask for the name of a passkey too. */
  withName?: boolean
  needsPassword: boolean
  onClose: () => void
  onConfirm: (password: string, name: string) => Promise<void>
}

/** A dialog that confirms a change with the password, if the user has one. */
export function ConfirmPassword({
  title,
  help,
  submit,
  danger,
  withName,
  needsPassword,
  onClose,
  onConfirm,
}: ConfirmPasswordProps) {
  const { t } = useTranslation('account')
  const id = useId()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [nameError, setNameError] = useState<string>()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function confirm(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    if (withName && !name.trim()) return setNameError(t('factors.nameMissing'))
    if (needsPassword && !password) return setError(t('password.required'))
    setBusy(true)
    await onConfirm(password, name.trim()).catch((reason: unknown) => setError(messageOf(reason)))
    setBusy(false)
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      size="sm"
      title={title}
      description={needsPassword ? (help ?? t('factors.confirmHelp')) : undefined}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t('cancel', { ns: 'common' })}
          </Button>
          <Button type="submit" form={id} variant={danger ? 'danger' : 'primary'} busy={busy}>
            {submit}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        onSubmit={(event) => void confirm(event)}
        className="flex flex-col gap-3.5 empty:hidden"
      >
        {withName && (
          <Field label={t('factors.passkeyName')} error={nameError ?? (needsPassword ? undefined : error)}>
            <Input
              autoFocus
              maxLength={80}
              value={name}
              placeholder={t('factors.passkeyNamePlaceholder')}
              onChange={(event) => {
                setName(event.target.value)
                setNameError(undefined)
              }}
            />
          </Field>
        )}
        {!withName && !needsPassword && <FormError title={error} />}
        {needsPassword && (
          <Field label={t('password.current')} error={error}>
            <PasswordInput
              autoComplete="current-password"
              value={password}
              onChange={(event) => {
                setPassword(event.target.value)
                setError(undefined)
              }}
            />
          </Field>
        )}
      </form>
    </Dialog>
  )
}
