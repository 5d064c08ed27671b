import { useInfiniteQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Chip } from '@/components/chip'
import { IconButton } from '@/components/icon-button'
import { Card, Skeleton } from '@/components/surfaces'
import { endOtherSessions, endSession, type SessionInfo, sessionsQuery } from '@/lib/api/security'
import { ago } from '@/lib/format'
import { toastError, toastSuccess } from '@/lib/toasts'

/** The active sessions of the user, each with a button that ends it. */
export function Sessions() {
  const { t } = useTranslation('account')
  const { data, isPending, isError, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(sessionsQuery)
  const sessions = data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <Card className="flex flex-col gap-3.5 p-5.5">
      <div>
        <h2 className="font-serif text-title">{t('sessions.title')}</h2>
        <p className="mt-1 text-muted">{t('sessions.help')}</p>
      </div>
      {isPending && <Skeleton className="h-12" />}
      {isError && <p className="text-muted">{t('sessions.loadFailed')}</p>}
      {sessions.length > 0 && (
        <ul>
          {sessions.map((session) => (
            <Row key={session.id} session={session} />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap justify-end gap-2.5 empty:hidden">
        {isError && <Button onClick={() => void refetch()}>{t('retry', { ns: 'common' })}</Button>}
        {hasNextPage && <Button onClick={() => void fetchNextPage()}>{t('sessions.showMore')}</Button>}
        {sessions.some(({ is_current }) => !is_current) && (
          <Button onClick={() => act(endOtherSessions(), t('sessions.othersEnded'), t('sessions.failed'))}>
            {t('sessions.endOthers')}
          </Button>
        )}
      </div>
    </Card>
  )
}

function Row({ session: { id, device, address, last_used_at, is_current } }: { session: SessionInfo }) {
  const { t } = useTranslation('account')
  const name = device ?? t('sessions.unknown')
  const time = ago(last_used_at)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-3 border-hairline border-b py-2.5 last:border-0">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h3 className="truncate font-semibold">{name}</h3>
          {is_current && <Chip>{t('sessions.current')}</Chip>}
        </div>
        <p className="break-words text-muted text-xs">
          {t('sessions.facts', { address: address ?? '–', time })}
        </p>
      </div>
      {!is_current && (
        <IconButton
          label={t('sessions.end', { device: name })}
          icon={<LogOut />}
          onClick={() => act(endSession(id), t('sessions.ended'), t('sessions.failed'))}
        />
      )}
    </li>
  )
}

function act(done: Promise<void>, success: string, failure: string): void {
  done.then(
    () => toastSuccess(success),
    (error: unknown) => toastError(failure, error),
  )
}
