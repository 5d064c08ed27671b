import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Field } from '@/components/field'
import { OtpInput } from '@/components/otp-input'
import { messageOf } from '@/lib/api/error'
import { useWrongCodes } from '@/lib/use-wrong-codes'

type CodeDialogProps = {
  title: string
  help: string
  label: string
  /** The error of a code with fewer than 6 digits. */
  missing: string
  /** The label of the confirming button. */
  submit: string
  /** Between the help and the code. */
  children?: ReactNode
  initialCode?: string
  /** The quiet button beside the confirming one; without it, "Cancel". */
  other?: { label: string; onPress: () => void }
  onClose: () => void
  /** Rejects if the server does not accept the code. */
  onConfirm: (code: string) => Promise<void>
}

/** A dialog that confirms a change with a code of 6 digits. */
export function CodeDialog({
  title,
  help,
  label,
  missing,
  submit,
  children,
  initialCode = '',
  other,
  onClose,
  onConfirm,
}: CodeDialogProps) {
  const { t } = useTranslation('common')
  const id = useId()
  const [code, setCode] = useState(initialCode)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const { explained } = useWrongCodes()

  async function confirm(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    if (code.length !== 6) return setError(missing)
    setBusy(true)
    await onConfirm(code).catch((reason: unknown) => setError(messageOf(explained(reason))))
    setBusy(false)
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      size="sm"
      title={title}
      description={help}
      footer={
        <>
          <Button variant="ghost" onClick={other?.onPress ?? onClose}>
            {other?.label ?? t('cancel')}
          </Button>
          <Button type="submit" form={id} variant="primary" busy={busy}>
            {submit}
          </Button>
        </>
      }
    >
      {children}
      <form id={id} noValidate onSubmit={(event) => void confirm(event)}>
        <Field label={label} error={error}>
          <OtpInput
            size="md"
            autoFocus
            value={code}
            onChange={(entered) => {
              setCode(entered)
              setError(undefined)
            }}
          />
        </Field>
      </form>
    </Dialog>
  )
}
