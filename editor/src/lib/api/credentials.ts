import { queryOptions } from '@tanstack/react-query'
import { credentialsDelete, credentialsListAll, credentialsPut } from '../api.gen/sdk.gen'
import { invalidate } from '../query-client'
import { unwrap } from './request'

/** The user's provider keys; the server returns only the last four characters. */
export const credentialsQuery = queryOptions({
  queryKey: ['credentials'],
  queryFn: async ({ signal }) => (await unwrap(credentialsListAll({ signal, throwOnError: true }))).items,
})

export async function setCredential(provider: string, key: string): Promise<void> {
  await credentialsPut({ path: { provider }, body: { key }, throwOnError: true })
  await refresh()
}

export async function removeCredential(provider: string): Promise<void> {
  await credentialsDelete({ path: { provider }, throwOnError: true })
  await refresh()
}

// Another key may offer other voices and models.
async function refresh(): Promise<void> {
  await Promise.all([
    invalidate({ queryKey: credentialsQuery.queryKey }),
    invalidate({ queryKey: ['nodes'] }),
    invalidate({ queryKey: ['connections'] }),
  ])
}
