import type { BrandFontFile, UploadedFont } from '../api.gen/types.gen'
import { request } from './request'

export type { BrandFontFile, UploadedFont }

/** Uploads a TTF, OTF or WOFF2 file, to be added to a brand. */
export function uploadBrandFont(file: File): Promise<UploadedFont> {
  const body = new FormData()
  body.set('file', file)
  return request<UploadedFont>('POST', '/brands/fonts', { body })
}
