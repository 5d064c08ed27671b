import { useMutation, useQuery } from '@tanstack/react-query'
import { Unplug } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { LoadError } from '@/components/load-error'
import { Card } from '@/components/surfaces'
import {
  chooseLocalServer,
  type LocalServer,
  localServersQuery,
  stopUsingLocalServer,
} from '@/lib/api/connections'
import { toast, toastError } from '@/lib/toasts'

/** The model servers found on the server's machine, each used with one press. For admins. */
export function LocalServersCard() {
  const { t } = useTranslation('connections')
  const { data, isError, refetch } = useQuery(localServersQuery)
  if (isError && !data)
    return (
      <div role="alert">
        <LoadError text={t('localSearchFailed')} onRetry={() => void refetch()} />
      </div>
    )
  if (!data || data.state === 'off') return null
  if (data.items.length === 0) {
    return (
      <p role="status" className="text-muted text-sm">
        {t(data.state === 'searching' ? 'localSearching' : 'localNone')}
      </p>
    )
  }
  return (
    <Card className="p-5">
      <section aria-labelledby="local-servers">
        <h3 id="local-servers" className="font-semibold">
          {t('localTitle')}
        </h3>
        <p className="mt-0.5 text-muted text-sm">{t('localHelp')}</p>
        <ul className="mt-3 divide-y divide-hairline">
          {data.items.map((server) => (
            <ServerRow key={server.address} server={server} />
          ))}
        </ul>
      </section>
    </Card>
  )
}

function ServerRow({ server }: { server: LocalServer }) {
  const { t } = useTranslation('connections')
  const { provider, title, address, models, is_used } = server
  const change = useMutation({
    // The toast depends on what was requested: `is_used` may already have changed when the request ends.
    mutationFn: (isStop: boolean) =>
      isStop ? stopUsingLocalServer(provider) : chooseLocalServer(provider, address),
    onSuccess: (_, isStop) => toast({ title: t(isStop ? 'localStopped' : 'localUsed', { name: title }) }),
    onError: (error) => toastError(t('localFailed', { name: title }), error),
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5 last:pb-0">
      <div className="min-w-0">
        <p className="font-semibold text-sm">{title}</p>
        <p className="wrap-anywhere text-muted text-xs">
          <span className="font-mono">{address}</span> · {t('models', { count: models })}
        </p>
      </div>
      <Button
        size="sm"
        variant={is_used ? undefined : 'primary'}
        aria-label={t(is_used ? 'localStopName' : 'localUseName', { name: title })}
        aria-disabled={change.isPending || undefined}
        onClick={() => !change.isPending && change.mutate(is_used)}
      >
        {is_used && <Unplug aria-hidden />}
        {t(is_used ? 'localStop' : 'localUse')}
      </Button>
    </li>
  )
}
