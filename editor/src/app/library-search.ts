import type { LibraryFilters } from '@/lib/api/assets'

const KINDS = ['image', 'video', 'audio', 'file'] as const
const SOURCES = ['run', 'upload'] as const
const TEXTS = ['q', 'flow_id', 'since', 'until'] as const

/** Which part of the library is shown. */
export function librarySearch(search: Record<string, unknown>): LibraryFilters {
  const kind = KINDS.find((one) => one === search.kind)
  const source = SOURCES.find((one) => one === search.source)
  const texts = TEXTS.flatMap((name) => {
    const value = search[name]
    // The router reads `q=9` as a number.
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : []
  })
  return { ...(kind && { kind }), ...(source && { source }), ...Object.fromEntries(texts) }
}
