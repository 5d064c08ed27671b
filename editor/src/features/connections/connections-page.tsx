import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AccountTabs } from '@/components/account-tabs'
import { Button } from '@/components/button'
import { LoadError } from '@/components/load-error'
import { Card, Skeleton } from '@/components/surfaces'
import { type Connection, connectionsQuery } from '@/lib/api/connections'
import { currentUserQuery } from '@/lib/api/users'
import { useTitle } from '@/lib/browser-hooks'
import { AddressDialog } from './address-dialog'
import { COLUMNS, ConnectionRow } from './connection-row'
import { DownloadsCard } from './downloads-card'
import { KeyDialog } from './key-dialog'
import { LocalServersCard } from './local-servers-card'
import { SpendingCard } from './spending-card'

/** The providers that the user's agents can use: whether each works, what it gives and what it cost. */
export function ConnectionsPage() {
  const { t } = useTranslation('connections')
  const account = useTranslation('account').t
  const { data, isPending, isError, refetch } = useQuery(connectionsQuery)
  const { data: user } = useQuery(currentUserQuery)
  const [editing, setEditing] = useState<Connection | 'any'>()
  const [addressed, setAddressed] = useState<Connection>()
  useTitle(t('title'))
  return (
    <div className="mx-auto w-full max-w-290 px-4 pt-6 pb-16 sm:pt-9">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="font-serif text-heading">{account('title')}</h1>
        <Button variant="primary" onClick={() => setEditing('any')} disabled={!data}>
          <Plus aria-hidden />
          {t('add')}
        </Button>
      </header>
      <AccountTabs />
      <h2 className="sr-only">{t('title')}</h2>
      <div className="mt-5 flex flex-col gap-4" aria-busy={isPending}>
        {isPending && [0, 1, 2].map((index) => <Skeleton key={index} className="h-22" />)}
        {isError && <LoadError text={t('loadFailed')} onRetry={() => void refetch()} />}
        {data && (
          <>
            <SpendingCard connections={data} />
            {user?.is_admin && <LocalServersCard />}
            {user?.is_admin &&
              data
                .filter(({ has_downloads }) => has_downloads)
                .map(({ provider }) => <DownloadsCard key={provider} provider={provider} />)}
            <Card className="overflow-hidden">
              <div
                aria-hidden
                className={`${COLUMNS} hidden border-hairline border-b px-5 py-2.5 font-semibold text-muted text-xs lg:grid`}
              >
                <span>{t('provider')}</span>
                <span>{t('state')}</span>
                <span>{t('gives')}</span>
                <span>{t('spent')}</span>
              </div>
              <ul>
                {data.map((connection) => (
                  <ConnectionRow
                    key={connection.provider}
                    connection={connection}
                    onEditKey={() => setEditing(connection)}
                    onEditAddress={() => setAddressed(connection)}
                  />
                ))}
              </ul>
            </Card>
            <p className="text-muted text-sm">{t('help')}</p>
          </>
        )}
      </div>
      {addressed && <AddressDialog connection={addressed} onClose={() => setAddressed(undefined)} />}
      {editing && data && (
        <KeyDialog
          connection={editing === 'any' ? undefined : editing}
          connections={data}
          onClose={() => setEditing(undefined)}
        />
      )}
    </div>
  )
}
