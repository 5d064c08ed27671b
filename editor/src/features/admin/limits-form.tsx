import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import { LoadError } from '@/components/load-error'
import { Skeleton } from '@/components/surfaces'
import { type LimitOverrides, limitsQuery, type PersonLimit, setLimits } from '@/lib/api/admin'
import { ApiError } from '@/lib/api/error'
import { useExclusive } from '@/lib/attempt'
import { inUnit } from '@/lib/format'
import { toastError, toastSuccess } from '@/lib/toasts'

type Name = PersonLimit['name']
type Texts = Partial<Record<Name, string>>

/** The limits of a user. A field with text is a limit that was set for this user. */
export function LimitsForm({ id }: { id: string }) {
  const { t } = useTranslation('admin')
  const { data, isError, refetch } = useQuery(limitsQuery(id))
  const [texts, setTexts] = useState<Texts>({})
  const [errors, setErrors] = useState<Texts>({})
  const [busy, setBusy] = useState(false)
  const changed = data?.items.filter((limit) => (texts[limit.name] ?? saved(limit)) !== saved(limit)) ?? []

  const save = useExclusive(async () => {
    setErrors({})
    setBusy(true)
    const values = changed.map((limit) => [limit.name, parse(limit, texts[limit.name] ?? '')])
    try {
      await setLimits(id, Object.fromEntries(values) as LimitOverrides)
      setTexts({})
      toastSuccess(t('person.saved'))
    } catch (error) {
      const found = fieldErrors(error, changed)
      setErrors(found)
      if (Object.keys(found).length === 0) toastError(t('limit.title'), error)
    }
    setBusy(false)
  })

  return (
    <form
      noValidate
      aria-labelledby="limits-title"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      className="flex flex-col gap-3 border-hairline border-t pt-4"
    >
      <div>
        <h3 id="limits-title" className="font-semibold">
          {t('limit.title')}
        </h3>
        <p className="text-muted text-sm">{t('limit.help')}</p>
      </div>
      {isError && <LoadError text={t('loadFailed')} onRetry={() => void refetch()} />}
      {!data && !isError && <Skeleton className="h-60" />}
      {data && (
        <>
          <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
            {data.items.map((limit) => (
              <Field
                key={limit.name}
                label={t(`limit.${limit.name}`)}
                help={t('limit.use', {
                  used: inUnit(limit.used, limit.unit),
                  value: inUnit(limit.default, limit.unit),
                })}
                error={errors[limit.name]}
              >
                <Input
                  inputMode={limit.unit === 'usd' ? 'decimal' : 'numeric'}
                  autoComplete="off"
                  maxLength={24}
                  placeholder={String(limit.default)}
                  value={texts[limit.name] ?? saved(limit)}
                  onChange={({ target }) => setTexts({ ...texts, [limit.name]: target.value })}
                />
              </Field>
            ))}
          </div>
          <Button type="submit" className="self-end" busy={busy} disabled={changed.length === 0}>
            {t('limit.save')}
          </Button>
        </>
      )}
    </form>
  )
}

/** The text of a limit as it is stored: empty for the default. */
const saved = ({ overridden, limit }: PersonLimit) => (overridden ? String(limit) : '')

/** Text that is no number is sent as it is, so that the server says what is wrong. */
function parse({ unit }: PersonLimit, text: string): string | number | null {
  const trimmed = text.trim()
  if (!trimmed) return null
  return unit !== 'usd' && /^-?\d+$/.test(trimmed) ? Number(trimmed) : trimmed
}

function fieldErrors(error: unknown, limits: PersonLimit[]): Texts {
  if (!(error instanceof ApiError)) return {}
  const found: Texts = {}
  for (const { path, message } of error.errors) {
    const limit = limits.find(({ name }) => path.split(/[./]/).includes(name))
    if (limit) found[limit.name] = message
  }
  return found
}
