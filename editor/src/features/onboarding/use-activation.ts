import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, messageOf } from '@/lib/api/error'
import { confirmSignUp } from '@/lib/api/identity'
import { completeAnswers, type PendingAccount, storeAnswers } from '@/lib/onboarding'
import { returnPath } from '@/lib/return-path'
import { toastError, toastSuccess } from '@/lib/toasts'

type Failed = { title: string; reason: string }

/** Entering the code: with the account comes the session, and with the session the answers find their place. */
export function useActivation(account: PendingAccount | null, next: string | undefined) {
  const { t } = useTranslation('onboarding')
  const navigate = useNavigate()
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<Failed | null>(null)

  async function arrive(signedIn: boolean): Promise<void> {
    if (!signedIn) {
      toastSuccess(t('activate.activated'))
      return navigate({ to: '/login', search: { next }, replace: true })
    }
    const info = completeAnswers()
    if (!info) return navigate({ to: '/onboarding/company', search: { next }, replace: true })
    await storeAnswers(info).catch((error) => toastError(t('activate.answersKept'), error))
    await navigate({ href: returnPath(next), replace: true })
  }

  async function activate(entered: string): Promise<void> {
    if (!account || busy || entered.length !== 6) return
    setBusy(true)
    setFailed(null)
    try {
      await arrive(await confirmSignUp(account.username, entered))
    } catch (error) {
      setCode('')
      setFailed({ title: t('activate.failedTitle'), reason: reasonOf(error, t('activate.failed')) })
    }
    setBusy(false)
  }

  const change = (typed: string) => {
    setCode(typed)
    if (typed) setFailed(null)
  }
  return { code, setCode: change, activate, busy, failed }
}

/** What the server says about a code is always the same sentence; trouble on the way is told as it is. */
function reasonOf(error: unknown, invalid: string): string {
  const refused =
    error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
  return refused ? invalid : messageOf(error)
}
