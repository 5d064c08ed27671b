import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Card } from '@/components/card'
import { Skeleton } from '@/components/skeleton'
import { type ApiKey, apiKeysQuery, revokeApiKey } from '@/lib/api/api-keys'
import { ago, moment } from '@/lib/format'
import { usePendingDeletions, withUndo } from '@/lib/with-undo'
import { KeyRow } from './key-row'
import { NewApiKey } from './new-api-key'

/** Keys for calling agents from programs. */
export function ApiKeys() {
  const { t } = useTranslation('account')
  const { data, isPending, isError, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(apiKeysQuery)
  const [making, setMaking] = useState(false)
  const going = usePendingDeletions()
  const keys = data?.pages.flatMap(({ items }) => items).filter(({ id }) => !going.has(id)) ?? []
  return (
    <Card className="flex flex-col gap-3.5 p-5.5">
      <div>
        <h2 className="font-serif text-title">{t('keys.title')}</h2>
        <p className="mt-1 text-muted">{t('keys.help')}</p>
      </div>
      {isPending && <Skeleton className="h-12" />}
      {isError && <p className="text-muted">{t('keys.unread')}</p>}
      {keys.length > 0 && (
        <ul>
          {keys.map((key) => (
            <Row key={key.id} apiKey={key} />
          ))}
        </ul>
      )}
      <div className="flex justify-end gap-2.5">
        {isError && <Button onClick={() => void refetch()}>{t('retry', { ns: 'common' })}</Button>}
        {hasNextPage && <Button onClick={() => void fetchNextPage()}>{t('keys.more')}</Button>}
        <Button onClick={() => setMaking(true)}>
          <Plus />
          {t('keys.new')}
        </Button>
      </div>
      {making && <NewApiKey onClose={() => setMaking(false)} />}
    </Card>
  )
}

function Row({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useTranslation('account')
  const { id, name, last_four, scopes, last_used_at, expires_at } = apiKey
  const over = expires_at !== null && new Date(expires_at) <= new Date()
  const facts = [
    t(scopes.includes('run') ? 'keys.run' : 'keys.read'),
    last_used_at ? t('keys.used', { time: ago(last_used_at) }) : t('keys.unused'),
    expires_at && t(over ? 'keys.over' : 'keys.until', { time: moment(expires_at) }),
  ]
  return (
    <KeyRow
      name={name}
      lastFour={last_four}
      facts={facts.filter(Boolean).join(' · ')}
      removeLabel={t('keys.revoke', { name })}
      onRemove={() =>
        withUndo({
          ids: [id],
          title: t('keys.revoked', { name }),
          failed: t('keys.revokeFailed'),
          commit: () => revokeApiKey(id),
        })
      }
    />
  )
}
