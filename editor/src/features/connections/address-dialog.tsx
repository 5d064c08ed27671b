import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import { type Connection, chooseLocalServer } from '@/lib/api/connections'
import { messageOf } from '@/lib/api/error'
import { toastSuccess } from '@/lib/toasts'

type AddressDialogProps = { connection: Connection; onClose: () => void }

/** Names the address of a server that the user's runs use; the operator's list decides which. */
export function AddressDialog({ connection, onClose }: AddressDialogProps) {
  const { t } = useTranslation('connections')
  const { provider, title } = connection
  const id = useId()
  const [address, setAddress] = useState(connection.address ?? 'http://')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function save(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    if (!URL.canParse(address.trim())) return setError(t('addressInvalid'))
    setBusy(true)
    try {
      await chooseLocalServer(provider, address.trim())
      toastSuccess(t('localUsed', { name: title }))
      onClose()
    } catch (reason) {
      setError(messageOf(reason))
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title={t('addressTitle', { name: title })}
      description={t('addressHelp')}
      footer={
        <Button type="submit" form={id} variant="primary" busy={busy}>
          {t('save')}
        </Button>
      }
    >
      <form id={id} noValidate onSubmit={(event) => void save(event)}>
        <Field label={t('address')} error={error}>
          <Input
            type="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={address}
            onChange={(event) => {
              setAddress(event.target.value)
              setError(undefined)
            }}
          />
        </Field>
      </form>
    </Dialog>
  )
}
