import { passing } from '@/lib/storage'

const KEY = 'impasto.challenge'

/** The token of an account with a temporary password, between /login and /set-password. It outlives a reload, not the tab. */
export const challenge = {
  get: () => passing.read<string>(KEY),
  set: (token: string) => passing.write(KEY, token),
  clear: () => passing.write(KEY, null),
}
