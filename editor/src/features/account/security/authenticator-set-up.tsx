import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import { beginTotp, confirmTotp, type TotpSetup } from '@/lib/api/security'
import { ConfirmPassword } from '../confirm-password'
import { CodeDialog } from './code-dialog'

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
  return (
    <CodeDialog
      title={t('factors.app')}
      help={t('factors.scan')}
      label={t('factors.code')}
      missing={t('factors.codeMissing')}
      submit={t('factors.turnOn')}
      onClose={onClose}
      onConfirm={async (code) => onDone(await confirmTotp(code))}
    >
      <img
        src={setup.qr_code}
        alt={t('factors.qr')}
        className="mx-auto size-44 rounded-m bg-white [image-rendering:pixelated]"
      />
      <Field label={t('factors.key')}>
        <Input
          readOnly
          value={setup.secret}
          className="font-mono text-sm"
          onFocus={(event) => event.target.select()}
        />
      </Field>
    </CodeDialog>
  )
}
