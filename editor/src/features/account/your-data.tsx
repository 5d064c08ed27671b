import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Card } from '@/components/surfaces'
import { deleteUser, exportUser } from '@/lib/api/users'
import { toastError } from '@/lib/toasts'
import { ConfirmPassword } from './confirm-password'

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
      {leaving && (
        <ConfirmPassword
          title={t('data.deleteTitle')}
          help={t('data.deleteHelp')}
          submit={t('data.delete')}
          danger
          needsPassword
          onClose={() => setLeaving(false)}
          onConfirm={deleteUser}
        />
      )}
    </Card>
  )
}
