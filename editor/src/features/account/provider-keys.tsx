import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { LoadError } from '@/components/load-error'
import { ProviderKeyFields, useProviderKey } from '@/components/provider-key-fields'
import { Card, Skeleton } from '@/components/surfaces'
import { credentialsQuery, removeCredential } from '@/lib/api/credentials'
import { type NodesAnswer, nodesQuery } from '@/lib/api/nodes'
import { moment } from '@/lib/format'
import { providerTitle } from '@/lib/provider-title'
import { usePendingDeletions, withUndo } from '@/lib/with-undo'
import { KeyRow } from './key-row'

/** The ids of the installed providers that accept a key of the user, sorted by title. */
export function providersWithKey(catalog: NodesAnswer): string[] {
  return catalog.providers
    .filter(({ takes_key }) => takes_key)
    .sort((one, other) => one.title.localeCompare(other.title))
    .map(({ id }) => id)
}

/** The user's own keys for the model providers. */
export function ProviderKeys() {
  const { t } = useTranslation('account')
  const { data: stored, isPending, isError, refetch } = useQuery(credentialsQuery)
  const { data: catalog } = useQuery(nodesQuery())
  const going = usePendingDeletions()
  const left = stored?.filter(({ provider }) => !going.has(`credential ${provider}`))
  return (
    <Card className="flex flex-col gap-3.5 p-5.5" id="provider-keys">
      <div>
        <h2 className="font-serif text-title">{t('providers.title')}</h2>
        <p className="mt-1 text-muted">{t('providers.help')}</p>
      </div>
      {isPending && <Skeleton className="h-12" />}
      {isError && <LoadError text={t('providers.loadFailed')} onRetry={() => void refetch()} />}
      {left && left.length > 0 && (
        <ul>
          {left.map(({ provider, last_four, updated_at }) => (
            <KeyRow
              key={provider}
              name={providerTitle(catalog, provider)}
              lastFour={last_four}
              facts={t('providers.savedOn', { time: moment(updated_at) })}
              removeLabel={t('providers.remove', { name: providerTitle(catalog, provider) })}
              onRemove={() =>
                withUndo({
                  ids: [`credential ${provider}`],
                  title: t('providers.removed', { name: providerTitle(catalog, provider) }),
                  failed: t('providers.removeFailed'),
                  commit: () => removeCredential(provider),
                })
              }
            />
          ))}
        </ul>
      )}
      <NewProviderKey stored={left?.map(({ provider }) => provider) ?? []} />
    </Card>
  )
}

function NewProviderKey({ stored }: { stored: readonly string[] }) {
  const { t } = useTranslation('account')
  const { data: catalog } = useQuery(nodesQuery())
  const choices = catalog ? providersWithKey(catalog) : []
  const form = useProviderKey(choices.map((value) => ({ value, label: providerTitle(catalog, value) })))
  return (
    <form
      noValidate
      aria-label={t('providers.form')}
      onSubmit={(event) => void form.save(event)}
      className="grid items-start gap-3.5 sm:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)_auto]"
    >
      <ProviderKeyFields form={form} />
      <Button type="submit" busy={form.busy} className="justify-self-end sm:mt-6.5">
        {form.chosen && stored.includes(form.chosen) ? t('providers.replace') : t('providers.add')}
      </Button>
    </form>
  )
}
