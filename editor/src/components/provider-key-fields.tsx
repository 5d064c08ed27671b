import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { setCredential } from '@/lib/api/credentials'
import { messageOf } from '@/lib/api/error'
import { toastSuccess } from '@/lib/toasts'
import { Field } from './field'
import { PasswordInput } from './password-input'
import { Select } from './select'

const MIN_KEY_LENGTH = 8

/** A provider that accepts a key of the user. */
type Choice = { value: string; label: string }

type Options = {
  /** The provider of the key; without it the user chooses one. */
  provider?: string | undefined
  onSaved?: () => void
}

/** The state of a form that stores a key of the user for a provider. It is empty again after a key was saved. */
export function useProviderKey(choices: readonly Choice[], { provider, onSaved }: Options = {}) {
  const { t } = useTranslation('account')
  const [chosen, setChosen] = useState(provider)
  const [key, setKey] = useState('')
  const [providerError, setProviderError] = useState<string>()
  const [keyError, setKeyError] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function save(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    if (!chosen) return setProviderError(t('providers.noProvider'))
    if (key.trim().length < MIN_KEY_LENGTH) return setKeyError(t('providers.tooShort'))
    setBusy(true)
    try {
      await setCredential(chosen, key.trim())
      const name = choices.find(({ value }) => value === chosen)?.label ?? chosen
      toastSuccess(t('providers.saved', { name }))
      setKey('')
      setChosen(provider)
      onSaved?.()
    } catch (reason) {
      setKeyError(messageOf(reason))
    }
    setBusy(false)
  }

  return {
    choices: provider === undefined ? choices : null,
    chosen,
    choose: (value: string) => {
      setChosen(value)
      setProviderError(undefined)
    },
    key,
    enter: (text: string) => {
      setKey(text)
      setKeyError(undefined)
    },
    providerError,
    keyError,
    busy,
    save,
  }
}

/** The fields of that form: the provider, unless it is given, and its key. */
export function ProviderKeyFields({ form }: { form: ReturnType<typeof useProviderKey> }) {
  const { t } = useTranslation('account')
  return (
    <>
      {form.choices && (
        <Field label={t('providers.provider')} error={form.providerError}>
          <Select
            value={form.chosen}
            placeholder={t('providers.choose')}
            choices={form.choices}
            onValueChange={form.choose}
          />
        </Field>
      )}
      <Field label={t('providers.key')} error={form.keyError}>
        <PasswordInput
          autoComplete="off"
          spellCheck={false}
          maxLength={4096}
          value={form.key}
          onChange={(event) => form.enter(event.target.value)}
        />
      </Field>
    </>
  )
}
