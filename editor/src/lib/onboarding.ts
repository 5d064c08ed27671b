import { getCurrentUser } from './api/identity'
import { setUserInfo, type UserInfo } from './api/users'
import { localStore } from './storage'

/** An account that waits for its code. */
export type PendingAccount = {
  username: string
  email: string
  /** Where the code went, masked; empty when only the server knows. */
  destination: string
  /** When the last code was asked for, in milliseconds. */
  sentAt: number
}

const ACCOUNT_KEY = 'impasto.pending-account'
const ANSWERS_KEY = 'impasto.onboarding'

export const pendingAccount = {
  get: () => localStore.read<PendingAccount>(ACCOUNT_KEY),
  set: (account: PendingAccount) => localStore.write(ACCOUNT_KEY, account),
  clear: () => localStore.write(ACCOUNT_KEY, null),
}

/** The answers as the forms know them; role and reasons are values of the server's own lists. */
export type Answers = Omit<UserInfo, 'role' | 'reasons'> & { role: string; reasons: string[] }

/** What has been answered so far; kept on this machine until it is stored with the account. */
export const answers = {
  get: () => localStore.read<Partial<Answers>>(ANSWERS_KEY) ?? {},
  add: (more: Partial<Answers>) => localStore.write(ANSWERS_KEY, { ...answers.get(), ...more }),
  clear: () => localStore.write(ANSWERS_KEY, null),
}

/** The answers, when all are there. */
export function completeAnswers(): UserInfo | null {
  const { first_name, last_name, company, role, reasons } = answers.get()
  return first_name && last_name && company && role && reasons
    ? ({ first_name, last_name, company, role, reasons } as UserInfo)
    : null
}

/** Stores the answers with the account that is signed in. */
export async function storeAnswers(info: UserInfo): Promise<void> {
  await setUserInfo(info)
  answers.clear()
  pendingAccount.clear()
}

let onboardingExpected = false

/** To be called before signing in: the next page is chosen by whether the person still has to be asked. */
export function expectOnboarding(): void {
  onboardingExpected = true
}

/**
 * Once after each sign-in: stores what was answered before the account was active. Returns whether the person
 * still has to be asked.
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
