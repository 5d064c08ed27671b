import { useState } from 'react'
import { passing } from '@/lib/storage'
import { RequestReset } from './request-reset'
import { ResetPassword } from './reset-password'

const KEY = 'impasto.reset-password-of'

/** First the address, then the code and the new password; a reload stays at the step it was. */
export function ForgetPasswordPage() {
  const [username, setUsername] = useState(() => passing.read<string>(KEY))
  const go = (to: string | null) => {
    passing.write(KEY, to)
    setUsername(to)
  }
  return username ? (
    <ResetPassword username={username} onLeave={() => go(null)} />
  ) : (
    <RequestReset onSent={go} />
  )
}
