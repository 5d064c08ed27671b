import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { resendCode } from '@/lib/api/identity'
import { clock } from '@/lib/format'
import { type PendingAccount, pendingAccount } from '@/lib/onboarding'
import { toastError, toastSuccess } from '@/lib/toasts'

const PAUSE = 30

/** Sends the code again, half a minute after the last time at the soonest. */
export function ResendButton({ account }: { account: PendingAccount }) {
  const { t } = useTranslation('onboarding')
  const [sentAt, setSentAt] = useState(account.sentAt)
  const left = useSecondsLeft(sentAt)

  async function resend() {
    const now = Date.now()
    try {
      await resendCode(account.username)
      pendingAccount.set({ ...account, sentAt: now })
      setSentAt(now)
      toastSuccess(t('activate.sentAgain'))
    } catch (error) {
      toastError(t('activate.againFailed'), error)
    }
  }
  return (
    <Button
      variant="ghost"
      onClick={() => void resend()}
      disabled={left > 0}
      className="disabled:opacity-100 disabled:text-muted tabular-nums"
    >
      {left > 0 ? t('activate.againIn', { clock: clock(left) }) : t('activate.again')}
    </Button>
  )
}

function useSecondsLeft(since: number): number {
  const remaining = () => Math.max(0, Math.ceil((since + PAUSE * 1000 - Date.now()) / 1000))
  const [, redraw] = useState(0)
  const left = Math.min(PAUSE, remaining())
  useEffect(() => {
    if (left === 0) return
    const timer = setTimeout(() => redraw((count) => count + 1), 250)
    return () => clearTimeout(timer)
  })
  return left
}
