import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Field } from '@/components/field'
import { PasswordInput } from '@/components/password-input'
import { Select } from '@/components/select'
import { Card, Skeleton } from '@/components/surfaces'
import { credentialsQuery, removeCredential, setCredential } from '@/lib/api/credentials'
import { messageOf } from '@/lib/api/error'
import { type NodesAnswer, nodesQuery } from '@/lib/api/nodes'
import { moment } from '@/lib/format'
import { toastSuccess } from '@/lib/toasts'
import { usePendingDeletions, withUndo } from '@/lib/with-undo'
import { KeyRow } from './key-row'

const TITLES: Record<string, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Google Gemini',
  mistral: 'Mistral',
  groq: 'Groq',
  openrouter: 'OpenRouter',
  openai_compatible: 'OpenAI-compatible server',
  replicate: 'Replicate',
  elevenlabs: 'ElevenLabs',
}
const KEYLESS = new Set(['auto', 'local', 'ollama'])

/** How a provider is called; one nobody has heard of by its id. */
export function providerTitle(id: string): string {
  return TITLES[id] ?? id.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())
}

/** Every provider that some node can ask and that takes a key, as the catalog names them. */
export function providersIn(catalog: NodesAnswer): string[] {
  const found = new Set<string>()
  for (const { settings } of catalog.types) {
    const properties = settings.properties as Record<string, { enum?: unknown[] }> | undefined
    for (const id of properties?.provider?.enum ?? []) {
      if (typeof id === 'string' && !KEYLESS.has(id)) found.add(id)
    }
  }
  return [...found].sort((one, other) => providerTitle(one).localeCompare(providerTitle(other)))
}

/** One's own keys at the providers that make text, pictures, clips and voices. */
export function ProviderKeys() {
  const { t } = useTranslation('account')
  const { data: stored, isPending, isError, refetch } = useQuery(credentialsQuery)
  const going = usePendingDeletions()
  const left = stored?.filter(({ provider }) => !going.has(`credential ${provider}`))
  return (
    <Card className="flex flex-col gap-3.5 p-5.5" id="provider-keys">
      <div>
        <h2 className="font-serif text-title">{t('providers.title')}</h2>
        <p className="mt-1 text-muted">{t('providers.help')}</p>
      </div>
      {isPending && <Skeleton className="h-12" />}
      {isError && (
        <p className="text-muted">
          {t('providers.loadFailed')}{' '}
          <Button size="sm" onClick={() => void refetch()}>
            {t('retry', { ns: 'common' })}
          </Button>
        </p>
      )}
      {left && left.length > 0 && (
        <ul>
          {left.map(({ provider, last_four, updated_at }) => (
            <KeyRow
              key={provider}
              name={providerTitle(provider)}
              lastFour={last_four}
              facts={t('providers.savedOn', { time: moment(updated_at) })}
              removeLabel={t('providers.remove', { name: providerTitle(provider) })}
              onRemove={() =>
                withUndo({
                  ids: [`credential ${provider}`],
                  title: t('providers.removed', { name: providerTitle(provider) }),
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
  const [provider, setProvider] = useState<string>()
  const [key, setKey] = useState('')
  const [lack, setLack] = useState<string>()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const choices = catalog ? providersIn(catalog) : []

  async function keep(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    if (!provider) return setLack(t('providers.noProvider'))
    if (key.trim().length < 8) return setError(t('providers.tooShort'))
    setBusy(true)
    try {
      await setCredential(provider, key.trim())
      toastSuccess(t('providers.saved', { name: providerTitle(provider) }))
      setKey('')
      setProvider(undefined)
    } catch (reason) {
      setError(messageOf(reason))
    }
    setBusy(false)
  }
  return (
    <form
      noValidate
      aria-label={t('providers.form')}
      onSubmit={(event) => void keep(event)}
      className="grid items-start gap-3.5 sm:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)_auto]"
    >
      <Field label={t('providers.provider')} error={lack}>
        <Select
          value={provider}
          placeholder={t('providers.choose')}
          choices={choices.map((value) => ({ value, label: providerTitle(value) }))}
          onValueChange={(value) => {
            setProvider(value)
            setLack(undefined)
          }}
        />
      </Field>
      <Field label={t('providers.key')} error={error}>
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
      <Button type="submit" variant="primary" busy={busy} className="justify-self-end sm:mt-6.5">
        {provider && stored.includes(provider) ? t('providers.replace') : t('providers.add')}
      </Button>
    </form>
  )
}
