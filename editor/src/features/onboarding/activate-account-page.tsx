import { Link, useSearch } from '@tanstack/react-router'
import { Trans, useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { FormError } from '@/components/form-error'
import { OtpInput } from '@/components/otp-input'
import { pendingAccount } from '@/lib/onboarding'
import { QuestionForm } from './question-form'
import { ResendButton } from './resend-button'
import { useActivation } from './use-activation'

/** Step 3: the code from the mail. */
export function ActivateAccountPage() {
  const { t } = useTranslation('onboarding')
  const { next } = useSearch({ from: '/onboarding' })
  const account = pendingAccount.get()
  const { code, setCode, activate, busy, failed } = useActivation(account, next)
  return (
    <QuestionForm
      title={t('activate.title')}
      help={
        account?.destination ? (
          <Trans
            t={t}
            i18nKey="activate.sent"
            values={{ address: account.destination }}
            components={{ address: <strong className="text-ink" /> }}
          />
        ) : (
          t('activate.sentNowhere')
        )
      }
      onSubmit={(event) => {
        event.preventDefault()
        void activate(code)
      }}
    >
      <div className="mx-auto mt-9 mb-5.5 max-w-100">
        <OtpInput
          aria-label={t('activate.code')}
          aria-invalid={failed !== null}
          value={code}
          onChange={setCode}
          onComplete={(full) => void activate(full)}
          disabled={busy || !account}
          autoFocus
        />
      </div>
      <div className="mx-auto mb-5.5 max-w-100 empty:hidden">
        <FormError title={failed?.title}>{failed?.reason}</FormError>
      </div>
      <p className="text-center text-muted">{t('activate.spam')}</p>
      <div className="mt-3.5 flex flex-wrap justify-center gap-1">
        {account && <ResendButton account={account} />}
        <Button variant="ghost" asChild>
          <Link to="/signup" search={{ next }}>
            {account ? t('activate.wrongEmail') : t('activate.backToSignUp')}
          </Link>
        </Button>
      </div>
      <p role="status" className="sr-only">
        {busy && t('activate.checking')}
      </p>
    </QuestionForm>
  )
}
