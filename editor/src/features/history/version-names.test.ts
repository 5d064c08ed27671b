import { expect, test } from 'vitest'
import type { PublishedVersion } from '@/lib/api/drafts'
import { i18n } from '@/lib/i18n'
import '@/lib/i18n/editor'
import { versionName, versionNameInSentence } from './version-names'

const t = i18n.getFixedT('en', 'history')
const entry = (more: Partial<PublishedVersion>) =>
  ({ created_at: new Date().toISOString(), number: null, ...more }) as PublishedVersion
const versions = [
  entry({ ref: 'v3', kind: 'published', number: 3 }),
  entry({ ref: 's1', kind: 'saved' as PublishedVersion['kind'] }),
]

test('a published version is named by its number', () => {
  expect(versionName('v3', versions, t)).toBe('Version 3')
  expect(t('restore', { name: versionNameInSentence('v3', versions, t) })).toBe('Restore Version 3')
})

test('a save is named by its time, with a different form within a sentence', () => {
  expect(versionName('s1', versions, t)).toBe('Save from just now')
  expect(t('restore', { name: versionNameInSentence('s1', versions, t) })).toBe(
    'Restore the save from just now',
  )
  expect(t('noChanges', { name: versionNameInSentence('s1', versions, t) })).toBe(
    'No changes since the save from just now',
  )
})

test('the current document is the draft', () => {
  expect(versionName('draft', versions, t)).toBe('Draft')
})
