import { infiniteQueryOptions } from '@tanstack/react-query'
import { apiKeysCreate, apiKeysDelete, apiKeysListAll } from '../api.gen/sdk.gen'
import type { ApiKey, ApiKeyCreate, ApiKeyCreated } from '../api.gen/types.gen'
import { invalidate } from '../query-client'
import { unwrap } from './request'

export type { ApiKey }

const KEYS = ['api-keys']

/** The user's API keys, newest first. */
export const apiKeysQuery = infiniteQueryOptions({
  queryKey: KEYS,
  queryFn: ({ pageParam, signal }) =>
    unwrap(apiKeysListAll({ query: { cursor: pageParam, limit: 20 }, signal, throwOnError: true })),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
})

/**
 * Creates an API key; only this response contains the whole key. A repeat with the same idempotency key returns the
 * first one.
 */
export async function createApiKey(body: ApiKeyCreate, idempotencyKey: string): Promise<ApiKeyCreated> {
  const headers = { 'Idempotency-Key': idempotencyKey }
  const made = await unwrap(apiKeysCreate({ body, headers, throwOnError: true }))
  await invalidate({ queryKey: KEYS })
  return made
}

export async function revokeApiKey(id: string): Promise<void> {
  await apiKeysDelete({ path: { key_id: id }, throwOnError: true })
  await invalidate({ queryKey: KEYS })
}
