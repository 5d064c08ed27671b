import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { FormError } from '@/components/field'
import { OtpInput } from '@/components/otp-input'
import { ApiError, messageOf } from '@/lib/api/error'
import { confirmSignUp, resendCode } from '@/lib/api/identity'
import { type CodeLink, readCodeLink } from '@/lib/code-link'
import { clock } from '@/lib/format'
import { completeAnswers, type PendingAccount, pendingAccount, storeAnswers } from '@/lib/onboarding'
import { returnPath } from '@/lib/return-path'
import { toastError, toastSuccess } from '@/lib/toasts'
import { isUsedUp, useWrongCodes } from '@/lib/use-wrong-codes'
import { QuestionForm } from './question-form'
import '@/lib/i18n/onboarding'

/** Step 3: the code from the e-mail. */
export function ActivateAccountPage() {
  const { t } = useTranslation('onboarding')
  const { next } = useSearch({ from: '/onboarding' })
  const [link] = useState(() => readCodeLink())
  const account = link
    ? { username: link.username, email: '', destination: '', sentAt: Date.now() }
    : pendingAccount.get()
  const { code, setCode, activate, busy, failed, onResent } = useActivation(account, next, link)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with the code of the link
  useEffect(() => void (link && activate(link.code)), [link])
  return (
    <QuestionForm
      title={t('activate.title')}
      help={
        account?.destination ? (
          <Trans
            t={t}
            i18nKey={account.delayed ? 'activate.delayed' : 'activate.sent'}
            values={{ address: account.destination }}
            components={{ address: <strong className="text-ink" /> }}
          />
        ) : (
          t('activate.enterCode')
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
        {account && <ResendButton account={account} onResent={onResent} />}
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

type Failed = { title: string; reason: string }

/** Activates the account with the code; then signs in and saves the onboarding answers. */
export function useActivation(
  account: PendingAccount | null,
  next: string | undefined,
  link: CodeLink | null = null,
) {
  const { t } = useTranslation('onboarding')
  const navigate = useNavigate()
  const [code, setCode] = useState(link?.code ?? '')
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<Failed | null>(null)
  const wrongCodes = useWrongCodes()

  async function arrive(signedIn: boolean): Promise<void> {
    if (!signedIn) {
      toastSuccess(t('activate.activated'))
      return navigate({ to: '/login', search: { next }, replace: true })
    }
    const info = completeAnswers()
    if (!info) return navigate({ to: '/onboarding/company', search: { next }, replace: true })
    await storeAnswers(info).catch((error) => toastError(t('activate.answersFailed'), error))
    await navigate({ href: returnPath(next), replace: true })
  }

  async function activate(entered: string): Promise<void> {
    if (!account || busy || entered.length !== 6) return
    setBusy(true)
    setFailed(null)
    try {
      await arrive(await confirmSignUp(account.username, entered, link?.token))
    } catch (error) {
      setCode('')
      setFailed({
        title: t('activate.failedTitle'),
        reason: reasonOf(wrongCodes.explained(error), t('activate.failed')),
      })
    }
    setBusy(false)
  }

  const change = (typed: string) => {
    setCode(typed)
    if (typed) setFailed(null)
  }
  return { code, setCode: change, activate, busy, failed, onResent: wrongCodes.reset }
}

/** Invalid codes share one message; other errors keep their own. */
function reasonOf(error: unknown, invalid: string): string {
  const refused =
    !isUsedUp(error) &&
    error instanceof ApiError &&
    error.status >= 400 &&
    error.status < 500 &&
    error.status !== 429
  return refused ? invalid : messageOf(error)
}

const RESEND_DELAY_SECONDS = 30

/** Sends the code again, at most once per `RESEND_DELAY_SECONDS`. */
export function ResendButton({ account, onResent }: { account: PendingAccount; onResent: () => void }) {
  const { t } = useTranslation('onboarding')
  const [sentAt, setSentAt] = useState(account.sentAt)
  const left = useSecondsLeft(sentAt)

  async function resend() {
    const now = Date.now()
    try {
      await resendCode(account.username)
      pendingAccount.set({ ...account, sentAt: now })
      setSentAt(now)
      onResent()
      toastSuccess(t('activate.resent'))
    } catch (error) {
      toastError(t('activate.resendFailed'), error)
    }
  }
  return (
    <Button
      variant="ghost"
      onClick={() => void resend()}
      disabled={left > 0}
      className="disabled:opacity-100 disabled:text-muted tabular-nums"
    >
      {left > 0 ? t('activate.resendIn', { clock: clock(left) }) : t('activate.resend')}
    </Button>
  )
}

function useSecondsLeft(since: number): number {
  const remaining = () => Math.max(0, Math.ceil((since + RESEND_DELAY_SECONDS * 1000 - Date.now()) / 1000))
  const [, redraw] = useState(0)
  const left = Math.min(RESEND_DELAY_SECONDS, remaining())
  useEffect(() => {
    if (left === 0) return
    const timer = setTimeout(() => redraw((count) => count + 1), 250)
    return () => clearTimeout(timer)
  })
  return left
}
