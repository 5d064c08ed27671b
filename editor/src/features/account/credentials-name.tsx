import '@/lib/i18n/credentials'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import { Card } from '@/components/surfaces'
import { type CurrentUser, setCredentialsName } from '@/lib/api/users'
import { toastError, toastSuccess } from '@/lib/toasts'

const MAX_NAME = 60

/** The name that the content credentials of the user's files give; none by default. */
export function CredentialsName({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('credentials')
  const [name, setName] = useState(user.credentials_name ?? '')
  const [busy, setBusy] = useState(false)
  async function save(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    try {
      await setCredentialsName(name.trim() || null)
      toastSuccess(t(name.trim() ? 'name.saved' : 'name.removed'))
    } catch (error) {
      toastError(t('name.failed'), error)
    }
    setBusy(false)
  }
  return (
    <Card className="p-5.5">
      <form noValidate onSubmit={(event) => void save(event)} className="flex flex-col gap-3.5">
        <h2 className="font-serif text-title">{t('name.title')}</h2>
        <Field label={t('name.label')} help={t('name.help')}>
          <Input value={name} maxLength={MAX_NAME} onChange={(event) => setName(event.target.value)} />
        </Field>
        <Button type="submit" className="self-start" busy={busy}>
          {t('name.save')}
        </Button>
      </form>
    </Card>
  )
}
