import { sessionStore } from '@/lib/storage'

const KEY = 'impasto.challenge'

/** The token of an account with a temporary password, between /login and /set-password. It outlives a reload, not the tab. */
export const challenge = {
  get: () => sessionStore.read<string>(KEY),
  set: (token: string) => sessionStore.write(KEY, token),
  clear: () => sessionStore.write(KEY, null),
}
