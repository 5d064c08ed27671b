import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Field } from '@/components/field'
import { PasswordInput } from '@/components/password-input'
import { messageOf } from '@/lib/api/error'
import { deleteUser } from '@/lib/api/users'

type DeleteAccountProps = { open: boolean; onOpenChange: (open: boolean) => void }

/** The one action here that cannot be undone: it asks for the password. */
export function DeleteAccount({ open, onOpenChange }: DeleteAccountProps) {
  const { t } = useTranslation('account')
  const id = useId()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()

  async function leave(event: FormEvent) {
    event.preventDefault()
    await deleteUser(password).catch((reason) => setError(messageOf(reason)))
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title={t('data.deleteTitle')}
      description={t('data.deleteHelp')}
      footer={
        <>
          <Button variant="ghost" onClick={() => onOpenChange(false)}>
            {t('cancel', { ns: 'common' })}
          </Button>
          <Button type="submit" form={id} variant="danger">
            {t('data.delete')}
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={(event) => void leave(event)}>
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
      </form>
    </Dialog>
  )
}
