import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Field } from '@/components/field'
import { PasswordInput } from '@/components/password-input'
import { Select } from '@/components/select'
import type { Connection } from '@/lib/api/connections'
import { setCredential } from '@/lib/api/credentials'
import { messageOf } from '@/lib/api/error'
import { toastSuccess } from '@/lib/toasts'

const MIN_KEY_LENGTH = 8

type KeyDialogProps = {
  /** The provider of the key; without one the user chooses. */
  connection: Connection | undefined
  connections: readonly Connection[]
  onClose: () => void
}

/** Stores a key of the user for a provider. */
export function KeyDialog({ connection, connections, onClose }: KeyDialogProps) {
  const { t } = useTranslation('connections')
  const form = useId()
  const [chosen, setChosen] = useState(connection?.provider)
  const [key, setKey] = useState('')
  const [lack, setLack] = useState<string>()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const choices = connections.filter(({ takes_key }) => takes_key)
  const title = choices.find(({ provider }) => provider === chosen)?.title ?? ''

  async function save(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    if (!chosen) return setLack(t('noProvider'))
    if (key.trim().length < MIN_KEY_LENGTH) return setError(t('tooShort'))
    setBusy(true)
    try {
      await setCredential(chosen, key.trim())
      toastSuccess(t('saved', { name: title }))
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
      title={connection ? t('dialogTitleName', { name: connection.title }) : t('dialogTitle')}
      description={t('dialogHelp')}
      footer={
        <Button type="submit" form={form} variant="primary" busy={busy}>
          {t('save')}
        </Button>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void save(event)} className="flex flex-col gap-3.5">
        {!connection && (
          <Field label={t('provider')} error={lack}>
            <Select
              value={chosen}
              placeholder={t('choose')}
              choices={choices.map(({ provider, title }) => ({ value: provider, label: title }))}
              onValueChange={(value) => {
                setChosen(value)
                setLack(undefined)
              }}
            />
          </Field>
        )}
        <Field label={t('key')} error={error}>
          <PasswordInput
            autoComplete="off"
            spellCheck={false}
            maxLength={4096}
            value={key}
            onChange={(event) => {
              setKey(event.target.value)
              setError(undefined)
            }}
          />
        </Field>
      </form>
    </Dialog>
  )
}
