import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { connectionsQuery } from '@/lib/api/connections'
import '@/lib/i18n/account'
import { Button } from '../button'
import { Dialog } from '../dialog'
import { LoadError } from '../load-error'
import { ProviderKeyFields, useProviderKey } from '../provider-key-fields'
import { Skeleton } from '../surfaces'

type ConnectDialogProps = {
  /** A provider without access: its id, its name, and how to get access to it. */
  source: { id: string; title: string; message: string }
  /** Its key has been stored. */
  onConnected: () => void
  onClose: () => void
}

/** Connects a provider over the form that needs it. What takes no key has its place among the connections. */
export function ConnectDialog({ source: { id, title, message }, onConnected, onClose }: ConnectDialogProps) {
  const { t } = useTranslation('launch')
  const formId = useId()
  const { data, isPending, isError, refetch } = useQuery(connectionsQuery)
  const takesKey = data?.some(({ provider, takes_key }) => provider === id && takes_key) ?? false
  const form = useProviderKey([{ value: id, label: title }], { provider: id, onSaved: onConnected })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title={t('connectProvider.title', { name: title })}
      description={takesKey ? t('connectProvider.help') : message}
      footer={
        <>
          <Button variant="ghost" asChild className="mr-auto">
            <a href="/account/connections" target="_blank" rel="noreferrer">
              {t('connectProvider.all')}
            </a>
          </Button>
          {takesKey && (
            <Button type="submit" form={formId} variant="primary" busy={form.busy}>
              {t('connectProvider.save')}
            </Button>
          )}
        </>
      }
    >
      {isPending && <Skeleton className="h-16" />}
      {isError && (
        <LoadError text={t('connectProvider.failed', { name: title })} onRetry={() => void refetch()} />
      )}
      {takesKey && (
        <form id={formId} noValidate onSubmit={(event) => void form.save(event)}>
          <ProviderKeyFields form={form} />
        </form>
      )}
    </Dialog>
  )
}
