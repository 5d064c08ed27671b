import type { BrandFinding, BrandImport } from '../api.gen/types.gen'
import { saveBlob } from '../files/download'
import { ApiError } from './error'
import { authorizedFetch } from './fetch'
import { request } from './request'

// The generated client is one module, which the first page loads: these calls are made without it.

export type { BrandFinding, BrandImport }

/** What a website contains, proposed for approval. Nothing is saved. */
export function readBrandWebsite(url: string, signal: AbortSignal): Promise<BrandImport> {
  return request<BrandImport>('POST', '/brands/import/website', { body: { url }, signal })
}

/** What a PDF, images or an exported brand contain, proposed for approval. Nothing is saved. */
export function readBrandFiles(files: readonly File[], signal: AbortSignal): Promise<BrandImport> {
  const body = new FormData()
  for (const file of files) body.append('files', file)
  return request<BrandImport>('POST', '/brands/import/files', { body, signal })
}

/** Downloads the draft of a brand with its logos as a file for another installation. */
export async function exportBrand(id: string, name: string): Promise<void> {
  const response = await authorizedFetch(`/api/v1/brands/${encodeURIComponent(id)}/export`)
  if (!response.ok) throw await ApiError.from(response)
  const plain = name.replace(/[^\p{L}\p{N} ._-]+/gu, '').trim() || 'brand'
  saveBlob(await response.blob(), `${plain}.impasto.zip`)
}
