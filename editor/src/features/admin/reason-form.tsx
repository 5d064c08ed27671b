import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import { messageOf } from '@/lib/api/error'
import { useExclusive } from '@/lib/attempt'

type ReasonFormProps = {
  help: string
  action: string
  danger?: boolean
  onSubmit: (reason: string) => Promise<void>
}

/** Asks for the reason of an action, which the audit log keeps. */
export function ReasonForm({ help, action, danger, onSubmit }: ReasonFormProps) {
  const { t } = useTranslation('admin')
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)

  const send = useExclusive(async () => {
    setBusy(true)
    setError(undefined)
    await onSubmit(reason.trim()).catch((failed: unknown) => setError(messageOf(failed)))
    setBusy(false)
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (reason.trim()) void send()
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3">
      <p className="text-muted">{help}</p>
      <Field label={t('reason')} help={t('reasonHelp')} error={error}>
        <Input maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
      <Button
        type="submit"
        className="self-end"
        variant={danger ? 'danger' : 'quiet'}
        busy={busy}
        disabled={!reason.trim()}
      >
        {action}
      </Button>
    </form>
  )
}
