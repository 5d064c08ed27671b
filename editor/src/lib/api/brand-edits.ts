import { queryOptions } from '@tanstack/react-query'
import type {
  BrandChange,
  BrandContentInput,
  BrandDetail,
  BrandDiff,
  BrandDraftSaved,
  BrandSummary,
  BrandVersion,
  BrandVersionPage,
} from '../api.gen/types.gen'
import { invalidate } from '../query-client'
import { BRANDS } from './brands'
import { request } from './request'

// The generated client is one module, which the first page loads: these calls are made without it.

export type { BrandChange, BrandDetail, BrandSummary }
export type BrandContent = BrandContentInput

const at = (id: string, rest = '') => `/brands/${encodeURIComponent(id)}${rest}`

export function brandQuery(id: string) {
  return queryOptions({
    queryKey: [...BRANDS, 'one', id],
    queryFn: ({ signal }) => request<BrandDetail>('GET', at(id), { signal }),
  })
}

/** The newest published versions of a brand. */
export function brandVersionsQuery(id: string) {
  return queryOptions({
    queryKey: [...BRANDS, 'versions', id],
    queryFn: ({ signal }) =>
      request<BrandVersionPage>('GET', at(id, '/versions'), { query: { limit: 100 }, signal }),
  })
}

/** The differences of two versions as sentences; "draft" stands for the draft. */
export function brandDiffQuery(id: string, before: string, after: string) {
  return queryOptions({
    queryKey: [...BRANDS, 'diff', id, before, after],
    queryFn: ({ signal }) =>
      request<BrandDiff>('GET', at(id, `/versions/${before}/diff/${after}`), { signal }),
  })
}

export function refreshBrands(): Promise<void> {
  return invalidate({ queryKey: BRANDS })
}

async function changing<Data>(call: Promise<Data>): Promise<Data> {
  const data = await call
  await refreshBrands()
  return data
}

/** Creates a brand. A repeat with the same key returns the first one. */
export function createBrand(content: BrandContent, key: string): Promise<BrandDetail> {
  return changing(request<BrandDetail>('POST', '/brands', { body: content, idempotencyKey: key }))
}

/** Saves the draft over the revision it is based on; the server answers 412 if it has a newer one. */
export function saveBrandDraft(
  id: string,
  content: BrandContent,
  revision: number,
): Promise<BrandDraftSaved> {
  const headers = { 'If-Match': `"${revision}"` }
  return request<BrandDraftSaved>('PUT', at(id, '/draft'), { body: content, headers })
}

/** Publishes the draft. A repeat with the same key returns the version of the first one. */
export function publishBrand(id: string, note: string, key: string): Promise<BrandVersion> {
  return changing(request<BrandVersion>('POST', at(id, '/publish'), { body: { note }, idempotencyKey: key }))
}

export function discardBrandDraft(id: string): Promise<BrandDraftSaved> {
  return changing(request<BrandDraftSaved>('DELETE', at(id, '/draft')))
}

export function restoreBrandVersion(id: string, number: number): Promise<BrandDraftSaved> {
  return changing(request<BrandDraftSaved>('POST', at(id, `/versions/${number}/restore`)))
}

/** Copies a brand. A repeat with the same key returns the first copy. */
export function duplicateBrand(id: string, key: string): Promise<BrandDetail> {
  return changing(request<BrandDetail>('POST', at(id, '/duplicate'), { idempotencyKey: key }))
}

export function deleteBrand(id: string): Promise<void> {
  return changing(request<void>('DELETE', at(id)))
}

export function setDefaultBrand(id: string, isDefault: boolean): Promise<void> {
  return changing(request<void>(isDefault ? 'PUT' : 'DELETE', at(id, '/default')))
}
