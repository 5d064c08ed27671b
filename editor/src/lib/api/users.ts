import { queryOptions } from '@tanstack/react-query'
import {
  usersDeleteMe,
  usersExport,
  usersMe,
  usersPostAvatar,
  usersPutCredentialsName,
  usersPutInfo,
  usersReasons,
  usersRoles,
} from '../api.gen/sdk.gen'
import type { Quota, UserInfo, UserMe } from '../api.gen/types.gen'
import { saveBlob } from '../files/download'
import { i18n } from '../i18n'
import { invalidate } from '../query-client'
import { localStore } from '../storage'
import { ApiError } from './error'
import { unwrap } from './request'
import { clearSession } from './session'

export type { Quota, UserInfo }
export type CurrentUser = UserMe

/** Never stale: every change of the user calls `refreshCurrentUser`. */
export const currentUserQuery = queryOptions({
  queryKey: ['users', 'me'],
  queryFn: async ({ signal }) => {
    const user: CurrentUser | null = await unwrap(usersMe({ signal, throwOnError: true }))
    if (!user?.id) throw new ApiError(404, { code: 'no_data', detail: i18n.t('errors:noUser') })
    return user
  },
  staleTime: Number.POSITIVE_INFINITY,
})

export const rolesQuery = queryOptions({
  queryKey: ['user-info', 'roles'],
  queryFn: ({ signal }) => unwrap(usersRoles({ signal, throwOnError: true })),
  staleTime: Number.POSITIVE_INFINITY,
})

export const reasonsQuery = queryOptions({
  queryKey: ['user-info', 'reasons'],
  queryFn: ({ signal }) => unwrap(usersReasons({ signal, throwOnError: true })),
  staleTime: Number.POSITIVE_INFINITY,
})

const USER_CHANGED_KEY = 'impasto.user-changed'

/** Refetches the user; call it after every change: an avatar, onboarding answers, a launch that used quota. */
export function refreshCurrentUser(): Promise<void> {
  localStore.write(USER_CHANGED_KEY, Date.now())
  return askAgain()
}

/** Follows changes of the user in other tabs. Call once. */
export function followCurrentUser(): void {
  window.addEventListener('storage', ({ key }) => key === USER_CHANGED_KEY && void askAgain())
}

function askAgain(): Promise<void> {
  return invalidate({ queryKey: currentUserQuery.queryKey })
}

export async function setAvatar(file: File): Promise<void> {
  await usersPostAvatar({ body: { file }, throwOnError: true })
  await refreshCurrentUser()
}

/** Sets the name that content credentials of new files give; null for none. */
export async function setCredentialsName(name: string | null): Promise<void> {
  await usersPutCredentialsName({ body: { name }, throwOnError: true })
  await refreshCurrentUser()
}

export async function setUserInfo(info: UserInfo): Promise<void> {
  await usersPutInfo({ body: info, throwOnError: true })
  await refreshCurrentUser()
}

/** Downloads all stored data of the user. */
export async function exportUser(): Promise<void> {
  const everything: unknown = await unwrap(usersExport({ parseAs: 'blob', throwOnError: true }))
  saveBlob(everything as Blob, 'impasto-export.zip')
}

/** Deletes the account and all its data, and ends the session. */
export async function deleteUser(password: string): Promise<void> {
  await usersDeleteMe({ body: { password }, throwOnError: true })
  clearSession(true)
}
