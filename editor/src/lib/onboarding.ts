import { getCurrentUser } from './api/identity'
import { setUserInfo, type UserInfo } from './api/users'
import { localStore } from './storage'

/** An account that awaits its activation code. */
export type PendingAccount = {
  username: string
  email: string
  /** The masked address to which the code was sent; empty when only the server knows it. */
  destination: string
  /** Whether the mail server did not take the e-mail at once. */
  delayed?: boolean
  /** When the last code was requested, in milliseconds. */
  sentAt: number
}

const ACCOUNT_KEY = 'impasto.pending-account'
const ANSWERS_KEY = 'impasto.onboarding'

export const pendingAccount = {
  get: () => localStore.read<PendingAccount>(ACCOUNT_KEY),
  set: (account: PendingAccount) => localStore.write(ACCOUNT_KEY, account),
  clear: () => localStore.write(ACCOUNT_KEY, null),
}

/** The answers in the forms; role and reasons are enum values of the server. */
export type Answers = Omit<UserInfo, 'role' | 'reasons'> & { role: string; reasons: string[] }

/** The answers so far, stored in this browser until they are saved with the account. */
export const answers = {
  get: () => localStore.read<Partial<Answers>>(ANSWERS_KEY) ?? {},
  add: (more: Partial<Answers>) => localStore.write(ANSWERS_KEY, { ...answers.get(), ...more }),
  clear: () => localStore.write(ANSWERS_KEY, null),
}

/** The answers, once all are there. */
export function completeAnswers(): UserInfo | null {
  const { first_name, last_name, company, role, reasons } = answers.get()
  return first_name && last_name && company && role && reasons
    ? ({ first_name, last_name, company, role, reasons } as UserInfo)
    : null
}

/** Saves the answers with the account that is signed in. */
export async function storeAnswers(info: UserInfo): Promise<void> {
  await setUserInfo(info)
  answers.clear()
  pendingAccount.clear()
}

let onboardingExpected = false

/** Call before signing in: the next page depends on whether the user must still answer. */
export function expectOnboarding(): void {
  onboardingExpected = true
}

/**
 * Once after each sign-in: saves answers that were given before activation. Returns whether the user must still
 * answer.
 */
export async function needsOnboarding(): Promise<boolean> {
  if (!onboardingExpected) return false
  onboardingExpected = false
  const user = await getCurrentUser()
  if (!user || user.info) return false
  const info = completeAnswers()
  if (!info || pendingAccount.get()?.username !== user.username) return true
  return storeAnswers(info).then(
    () => false,
    () => true,
  )
}
