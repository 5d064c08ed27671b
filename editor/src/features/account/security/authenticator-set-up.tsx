import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import { OtpInput } from '@/components/otp-input'
import { messageOf } from '@/lib/api/error'
import { beginTotp, confirmTotp, type TotpSetup } from '@/lib/api/security'
import { ConfirmPassword } from '../confirm-password'

type AuthenticatorSetUpProps = {
  needsPassword: boolean
  onClose: () => void
  /** Called with the recovery codes, or null if the user has some already. */
  onDone: (codes: string[] | null) => void
}

/** Sets up an authenticator app: first the password, then the secret and a code of the app. */
export function AuthenticatorSetUp({ needsPassword, onClose, onDone }: AuthenticatorSetUpProps) {
  const { t } = useTranslation('account')
  const [setup, setSetup] = useState<TotpSetup | null>(null)
  if (setup) return <ConfirmApp setup={setup} onClose={onClose} onDone={onDone} />
  return (
    <ConfirmPassword
      title={t('factors.app')}
      submit={t('factors.confirm')}
      needsPassword={needsPassword}
      onClose={onClose}
      onConfirm={async (password) => setSetup(await beginTotp(password))}
    />
  )
}

type ConfirmAppProps = Pick<AuthenticatorSetUpProps, 'onClose' | 'onDone'> & { setup: TotpSetup }

function ConfirmApp({ setup, onClose, onDone }: ConfirmAppProps) {
  const { t } = useTranslation('account')
  const id = useId()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()

  async function confirm(event: FormEvent) {
    event.preventDefault()
    if (code.length !== 6) return setError(t('factors.codeMissing'))
    await confirmTotp(code).then(onDone, (reason: unknown) => setError(messageOf(reason)))
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      size="sm"
      title={t('factors.app')}
      description={t('factors.scan')}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t('cancel', { ns: 'common' })}
          </Button>
          <Button type="submit" form={id} variant="primary">
            {t('factors.turnOn')}
          </Button>
        </>
      }
    >
      <img
        src={setup.qr_code}
        alt={t('factors.qr')}
        className="mx-auto size-44 rounded-m bg-white [image-rendering:pixelated]"
      />
      <form id={id} noValidate onSubmit={(event) => void confirm(event)} className="flex flex-col gap-3.5">
        <Field label={t('factors.key')}>
          <Input
            readOnly
            value={setup.secret}
            className="font-mono text-sm"
            onFocus={(event) => event.target.select()}
          />
        </Field>
        <Field label={t('factors.code')} error={error}>
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
