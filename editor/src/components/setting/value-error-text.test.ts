// @vitest-environment jsdom
import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ValueError } from '@/graph/validate'
import '@/lib/i18n/editor'
import { useValueErrorText } from './value-error-text'

const plain = [
  'object',
  'list',
  'text',
  'number',
  'integer',
  'boolean',
  'choice',
  'empty',
  'pattern',
  'color',
] as const

test.each<[ValueError, string]>([
  [{ code: 'minItems', count: 1 }, 'At least 1 item.'],
  [{ code: 'maxItems', count: 2 }, 'At most 2 items.'],
  [{ code: 'minCharacters', count: 2 }, 'At least 2 characters.'],
  [{ code: 'maxCharacters', count: 1 }, 'At most 1 character.'],
  [{ code: 'least', limit: 0 }, 'At least 0.'],
  [{ code: 'most', limit: 4 }, 'At most 4.'],
  [{ code: 'above', limit: 0 }, 'More than 0.'],
  [{ code: 'below', limit: 4 }, 'Less than 4.'],
  [{ code: 'missing', name: 'name' }, '“name” is missing.'],
  [
    { code: 'inItem', number: 2, error: { code: 'inField', name: 'minutes', error: { code: 'integer' } } },
    'Item 2: minutes: Enter a whole number.',
  ],
])('%j is %j', (error, sentence) => {
  const { result } = renderHook(() => useValueErrorText())
  expect(result.current(error)).toBe(sentence)
})

test('every error has a sentence', () => {
  const { result } = renderHook(() => useValueErrorText())
  for (const code of plain) expect(result.current({ code })).toMatch(/^[A-Z].*\.$/)
  expect(result.current(null)).toBeUndefined()
})
