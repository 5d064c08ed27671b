import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { ProviderKeyFields, useProviderKey } from '@/components/provider-key-fields'
import type { Connection } from '@/lib/api/connections'

type KeyDialogProps = {
  /** The provider of the key; without one the user chooses. */
  connection: Connection | undefined
  connections: readonly Connection[]
  onClose: () => void
}

/** Stores a key of the user for a provider. */
export function KeyDialog({ connection, connections, onClose }: KeyDialogProps) {
  const { t } = useTranslation('connections')
  const id = useId()
  const choices = connections
    .filter(({ takes_key }) => takes_key)
    .map(({ provider, title }) => ({ value: provider, label: title }))
  const form = useProviderKey(choices, { provider: connection?.provider, onSaved: onClose })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title={connection ? t('dialogTitleName', { name: connection.title }) : t('dialogTitle')}
      description={t('dialogHelp')}
      footer={
        <Button type="submit" form={id} variant="primary" busy={form.busy}>
          {t('save')}
        </Button>
      }
    >
      <form id={id} noValidate onSubmit={(event) => void form.save(event)} className="flex flex-col gap-3.5">
        <ProviderKeyFields form={form} />
      </form>
    </Dialog>
  )
}
