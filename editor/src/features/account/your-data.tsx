import { Download } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Field } from '@/components/field'
import { PasswordInput } from '@/components/password-input'
import { Card } from '@/components/surfaces'
import { messageOf } from '@/lib/api/error'
import { deleteUser, exportUser } from '@/lib/api/users'
import { toastError } from '@/lib/toasts'

/** Downloads all data of the user, or deletes the account. */
export function YourData() {
  const { t } = useTranslation('account')
  const [busy, setBusy] = useState(false)
  const [leaving, setLeaving] = useState(false)

  async function take() {
    setBusy(true)
    await exportUser().catch((error) => toastError(t('data.exportFailed'), error))
    setBusy(false)
  }
  return (
    <Card className="flex flex-col gap-3.5 p-5.5">
      <h2 className="font-serif text-title">{t('data.title')}</h2>
      <p className="text-muted">{t('data.help')}</p>
      <div className="flex flex-wrap justify-end gap-2.5">
        <Button variant="danger" onClick={() => setLeaving(true)}>
          {t('data.delete')}
        </Button>
        <Button busy={busy} onClick={() => void take()}>
          <Download />
          {t('data.export')}
        </Button>
      </div>
      <DeleteAccount open={leaving} onOpenChange={setLeaving} />
    </Card>
  )
}

type DeleteAccountProps = { open: boolean; onOpenChange: (open: boolean) => void }

/** Deleting the account cannot be undone, so it requires the password. */
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
