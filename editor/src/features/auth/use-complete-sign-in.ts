import { useNavigate } from '@tanstack/react-router'
import { isApiError } from '@/lib/api/error'
import { type Challenge, resendCode, signIn } from '@/lib/api/identity'
import { expectOnboarding, pendingAccount } from '@/lib/onboarding'
import { sessionStore } from '@/lib/storage'
import type { LoginForm } from './schemas'

const KEY = 'impasto.challenge'

/** The challenge token of an account with a temporary password, for /set-password. Kept until the tab is closed. */
export const challenge = {
  get: () => sessionStore.read<string>(KEY),
  set: (token: string) => sessionStore.write(KEY, token),
  clear: () => sessionStore.write(KEY, null),
}

/**
 * Signs in; redirects if the password is temporary or the address is not confirmed. `onSecondFactor` is called if a
 * second factor is needed, and `proceed` takes what follows it.
 */
export function useCompleteSignIn(next: string | undefined, onSecondFactor: (challenge: Challenge) => void) {
  const navigate = useNavigate()

  async function confirmFirst(username: string) {
    await resendCode(username)
    const email = username.includes('@') ? username : ''
    pendingAccount.set({ username, email, destination: '', sentAt: Date.now() })
    await navigate({ to: '/onboarding/activate-account', search: { next } })
  }

  async function proceed(pending: Challenge | null): Promise<void> {
    if (!pending) return
    if (pending.kind === 'second_factor') return onSecondFactor(pending)
    challenge.set(pending.token)
    await navigate({ to: '/set-password', search: { next } })
  }

  async function enter({ username, password }: LoginForm): Promise<void> {
    expectOnboarding()
    try {
      await proceed(await signIn(username, password))
    } catch (error) {
      if (!isApiError(error, 'not_confirmed')) throw error
      await confirmFirst(username)
    }
  }
  return { enter, proceed }
}
