import { useInfiniteQuery } from '@tanstack/react-query'
import { Check, Copy, Plus } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import { Select } from '@/components/select'
import { Card, Skeleton } from '@/components/surfaces'
import { type ApiKey, apiKeysQuery, createApiKey, revokeApiKey } from '@/lib/api/api-keys'
import { messageOf } from '@/lib/api/error'
import { useAttempt, useExclusive, wasRejected } from '@/lib/attempt'
import { ago, moment } from '@/lib/format'
import { usePendingDeletions, withUndo } from '@/lib/with-undo'
import { KeyRow } from './key-row'

/** API keys for calling agents from programs. */
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
      {isError && <p className="text-muted">{t('keys.loadFailed')}</p>}
      {keys.length > 0 && (
        <ul>
          {keys.map((key) => (
            <Row key={key.id} apiKey={key} />
          ))}
        </ul>
      )}
      <div className="flex justify-end gap-2.5">
        {isError && <Button onClick={() => void refetch()}>{t('retry', { ns: 'common' })}</Button>}
        {hasNextPage && <Button onClick={() => void fetchNextPage()}>{t('keys.showMore')}</Button>}
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
    last_used_at ? t('keys.lastUsed', { time: ago(last_used_at) }) : t('keys.neverUsed'),
    expires_at && t(over ? 'keys.expiredOn' : 'keys.expiresOn', { time: moment(expires_at) }),
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

const DAYS = ['30', '90', '365', 'never'] as const
type Days = (typeof DAYS)[number]
type Scope = 'run' | 'read'

/** Creates an API key and shows it once, because the server stores only its hash. */
export function NewApiKey({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account')
  const id = useId()
  const [made, setMade] = useState<string>()
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      size="sm"
      title={t(made ? 'keys.createdTitle' : 'keys.new')}
      description={t(made ? 'keys.createdHelp' : 'keys.newHelp')}
      footer={
        made ? (
          <Button variant="primary" onClick={onClose}>
            {t('keys.done')}
          </Button>
        ) : (
          <>
            <Button variant="ghost" onClick={onClose}>
              {t('cancel', { ns: 'common' })}
            </Button>
            <Button type="submit" form={id} variant="primary">
              {t('keys.create')}
            </Button>
          </>
        )
      }
    >
      {made ? <Shown value={made} /> : <Questions id={id} onMade={setMade} />}
    </Dialog>
  )
}

function Questions({ id, onMade }: { id: string; onMade: (key: string) => void }) {
  const { t } = useTranslation('account')
  const [name, setName] = useState('')
  const [scope, setScope] = useState<Scope>('run')
  const [days, setDays] = useState<Days>('90')
  const [error, setError] = useState<string>()
  const attempt = useAttempt()

  const create = useExclusive(async () => {
    if (!name.trim()) return setError(t('keys.nameMissing'))
    const expires = days === 'never' ? null : Number(days)
    const body = { name: name.trim(), scopes: [scope], expires_in_days: expires }
    try {
      onMade((await createApiKey(body, attempt.keyOf(body))).key)
    } catch (reason) {
      if (wasRejected(reason)) attempt.done()
      setError(messageOf(reason))
    }
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    void create()
  }
  return (
    <form id={id} noValidate onSubmit={submit} className="flex flex-col gap-3.5">
      <Field label={t('keys.name')} error={error}>
        <Input
          autoFocus
          maxLength={80}
          value={name}
          placeholder={t('keys.namePlaceholder')}
          onChange={(event) => {
            setName(event.target.value)
            setError(undefined)
          }}
        />
      </Field>
      <Field label={t('keys.scope')}>
        <Select
          value={scope}
          onValueChange={setScope}
          choices={[
            { value: 'run', label: t('keys.run') },
            { value: 'read', label: t('keys.read') },
          ]}
        />
      </Field>
      <Field label={t('keys.expires')}>
        <Select
          value={days}
          onValueChange={setDays}
          choices={DAYS.map((value) => ({
            value,
            label: value === 'never' ? t('keys.never') : t('keys.days', { count: Number(value) }),
          }))}
        />
      </Field>
    </form>
  )
}

function Shown({ value }: { value: string }) {
  const { t } = useTranslation('account')
  const [copied, setCopied] = useState(false)
  return (
    <Field label={t('keys.key')}>
      <Input
        readOnly
        value={value}
        className="font-mono"
        onFocus={(event) => event.target.select()}
        end={
          <button
            type="button"
            aria-label={t('copy', { ns: 'common' })}
            className="-mr-3 grid h-10 w-11 place-items-center rounded-field hover:text-ink"
            onClick={() => void navigator.clipboard.writeText(value).then(() => setCopied(true))}
          >
            {copied ? <Check className="size-4" /> : <Copy className="size-4" />}
          </button>
        }
      />
    </Field>
  )
}
