import { expect, test } from 'vitest'
import type { PublishedVersion } from '@/lib/api/drafts'
import { i18n } from '@/lib/i18n'
import '@/lib/i18n/editor'
import { calledOf, nameOf } from './version-names'

const t = i18n.getFixedT('en', 'history')
const entry = (more: Partial<PublishedVersion>) =>
  ({ created_at: new Date().toISOString(), number: null, ...more }) as PublishedVersion
const versions = [
  entry({ ref: 'v3', kind: 'published', number: 3 }),
  entry({ ref: 's1', kind: 'saved' as PublishedVersion['kind'] }),
]

test('a published version is called by its number wherever it is named', () => {
  expect(nameOf('v3', versions, t)).toBe('Version 3')
  expect(t('restore', { name: calledOf('v3', versions, t) })).toBe('Restore Version 3')
})

test('a save has no name: it is told by when it was made, alone and in a sentence', () => {
  expect(nameOf('s1', versions, t)).toBe('Save from just now')
  expect(t('restore', { name: calledOf('s1', versions, t) })).toBe('Restore the save from just now')
  expect(t('same', { name: calledOf('s1', versions, t) })).toBe(
    'Nothing changed since the save from just now',
  )
})

test('what is being worked on is the draft', () => {
  expect(nameOf('draft', versions, t)).toBe('Draft')
})
