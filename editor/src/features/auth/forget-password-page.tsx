import { useState } from 'react'
import { sessionStore } from '@/lib/storage'
import { RequestReset } from './request-reset'
import { ResetPassword } from './reset-password'

const KEY = 'impasto.reset-password-of'

/** First the address, then the code and the new password; a reload stays at the step it was. */
export function ForgetPasswordPage() {
  const [username, setUsername] = useState(() => sessionStore.read<string>(KEY))
  const go = (to: string | null) => {
    sessionStore.write(KEY, to)
    setUsername(to)
  }
  return username ? (
    <ResetPassword username={username} onLeave={() => go(null)} />
  ) : (
    <RequestReset onSent={go} />
  )
}
