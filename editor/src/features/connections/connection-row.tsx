import { useQuery } from '@tanstack/react-query'
import { Ellipsis, KeyRound, RefreshCw, Server, Trash2, Unplug } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { IconButton } from '@/components/icon-button'
import { Menu, MenuItem } from '@/components/menu'
import { type Connection, connectionTestQuery, stopUsingLocalServer } from '@/lib/api/connections'
import { removeCredential } from '@/lib/api/credentials'
import { dollars } from '@/lib/format'
import { toast, toastError } from '@/lib/toasts'
import { withUndo } from '@/lib/with-undo'
import { ConnectionState } from './connection-state'
import { KindDot } from './kind-dot'

export const COLUMNS =
  'grid-cols-[minmax(0,1.5fr)_minmax(0,1.3fr)_minmax(0,1.4fr)_minmax(0,0.9fr)_148px] lg:gap-x-4'

type ConnectionRowProps = { connection: Connection; onEditKey: () => void; onEditAddress: () => void }

/** One provider: its key, whether it answers, what it gives, what it cost, and what can be done. */
export function ConnectionRow({ connection, onEditKey, onEditAddress }: ConnectionRowProps) {
  const { t } = useTranslation('connections')
  const { provider, title, access, takes_key, takes_address } = connection
  const test = useQuery(connectionTestQuery(connection))
  return (
    <li
      className={`${COLUMNS} flex flex-col gap-2.5 border-hairline border-b px-5 py-3.5 last:border-0 lg:grid lg:items-center`}
    >
      <div className="flex min-w-0 items-center gap-3.5">
        <span
          aria-hidden
          className="grid size-10 shrink-0 place-items-center rounded-s border border-hairline bg-paper font-serif text-md"
        >
          {title.slice(0, 2)}
        </span>
        <div className="min-w-0">
          <h3 className="truncate font-semibold">{title}</h3>
          <AccessLine connection={connection} />
        </div>
      </div>
      <ConnectionState connection={connection} test={test} />
      <Gives connection={connection} models={test.data?.models} voices={test.data?.voices} />
      <p className="text-sm">
        <span className="text-muted lg:hidden">{t('spent')}: </span>
        {access === 'local' ? t('free') : <span className="font-mono">{dollars(connection.spent_usd)}</span>}
      </p>
      <div className="flex items-center justify-end gap-2">
        {access === 'missing' && takes_address && (
          <Button size="sm" aria-label={t('addAddressName', { name: title })} onClick={onEditAddress}>
            <Server aria-hidden />
            {t('addAddress')}
          </Button>
        )}
        {access === 'missing' && takes_key && !takes_address && (
          <Button size="sm" aria-label={t('addKeyName', { name: title })} onClick={onEditKey}>
            <KeyRound aria-hidden />
            {t('addKey')}
          </Button>
        )}
        {access !== 'missing' && (
          <Button
            size="sm"
            aria-label={t('testName', { name: title })}
            aria-disabled={test.isFetching || undefined}
            onClick={() => !test.isFetching && void test.refetch()}
          >
            <RefreshCw aria-hidden />
            {t('test')}
          </Button>
        )}
        {access !== 'missing' && (takes_key || takes_address) && (
          <Menu
            trigger={
              <IconButton label={t('more', { name: title })} icon={<Ellipsis />} size="sm" tooltip={false} />
            }
          >
            {takes_address && (
              <MenuItem icon={<Server aria-hidden />} onSelect={onEditAddress}>
                {t(access === 'own_address' ? 'changeAddress' : 'addAddress')}
              </MenuItem>
            )}
            {takes_address && access === 'own_address' && (
              <MenuItem icon={<Unplug aria-hidden />} onSelect={() => void stop()}>
                {t('localStop')}
              </MenuItem>
            )}
            {takes_key && (
              <MenuItem icon={<KeyRound aria-hidden />} onSelect={onEditKey}>
                {t(access === 'own_key' ? 'replaceKey' : 'ownKey')}
              </MenuItem>
            )}
            {access === 'own_key' && (
              <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={() => remove()}>
                {t('removeKey')}
              </MenuItem>
            )}
          </Menu>
        )}
      </div>
    </li>
  )

  async function stop() {
    try {
      await stopUsingLocalServer(provider)
      toast({ title: t('localStopped', { name: title }) })
    } catch (error) {
      toastError(t('localFailed', { name: title }), error)
    }
  }

  function remove() {
    withUndo({
      ids: [`credential ${provider}`],
      title: t('removed', { name: title }),
      failed: t('removeFailed'),
      commit: () => removeCredential(provider),
    })
  }
}

function AccessLine({ connection: { access, key_last_four, address } }: { connection: Connection }) {
  const { t } = useTranslation('connections')
  const text = {
    own_key: t('keyEnds', { digits: key_last_four ?? '' }),
    own_address: address ?? t('ownAddress'),
    server: t('serverAccess'),
    local: t('localAccess'),
    missing: '',
  }[access]
  return text ? <p className="truncate text-muted text-xs">{text}</p> : null
}

type GivesProps = {
  connection: Connection
  models: number | null | undefined
  voices: number | null | undefined
}

function Gives({ connection: { kinds }, models, voices }: GivesProps) {
  const { t } = useTranslation('connections')
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      {Boolean(models) && <span className="font-semibold">{t('models', { count: models ?? 0 })}</span>}
      {Boolean(voices) && <span className="font-semibold">{t('voices', { count: voices ?? 0 })}</span>}
      {kinds.map((kind) => (
        <KindDot key={kind} kind={kind} />
      ))}
    </div>
  )
}
