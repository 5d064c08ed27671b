import type { TFunction } from 'i18next'
import type { PublishedVersion } from '@/lib/api/drafts'
import { ago } from '@/lib/format'

type Words = TFunction<'history'>

/** The name of a version: its number, or the time of the save. */
export function versionName(ref: string, versions: readonly PublishedVersion[], t: Words): string {
  return named(ref, versions, t, 'saveFrom')
}

/** The name within a sentence. */
export function versionNameInSentence(ref: string, versions: readonly PublishedVersion[], t: Words): string {
  return named(ref, versions, t, 'saveFromInSentence')
}

function named(
  ref: string,
  versions: readonly PublishedVersion[],
  t: Words,
  save: 'saveFrom' | 'saveFromInSentence',
): string {
  if (ref === 'draft') return t('draft')
  const version = versions.find((one) => one.ref === ref)
  if (version && version.number !== null && version.kind === 'published') {
    return t('version', { number: version.number })
  }
  return version ? t(save, { when: ago(version.created_at) }) : ref
}
