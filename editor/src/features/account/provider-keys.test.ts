// @vitest-environment jsdom
import { expect, test } from 'vitest'
import type { NodesAnswer } from '@/lib/api/nodes'
import { providerTitle } from '@/lib/provider-title'
import { providersWithKey } from './provider-keys'

const provider = (id: string, title: string, takes_key = true) => ({
  id,
  title,
  takes_key,
  kinds: ['text'],
  package: 'impasto',
})
const catalog = {
  providers: [
    provider('replicate', 'Replicate'),
    provider('local', 'This machine', false),
    provider('forge_works', 'Forge Works'),
    provider('openai', 'OpenAI'),
  ],
} as NodesAnswer

test('the providers that take a key are listed by title', () => {
  expect(providersWithKey(catalog)).toEqual(['forge_works', 'openai', 'replicate'])
})

test('a provider that is not installed is shown by its id', () => {
  expect(providerTitle(catalog, 'openai')).toBe('OpenAI')
  expect(providerTitle(catalog, 'gone_works')).toBe('Gone works')
  expect(providerTitle(undefined, 'forge_works')).toBe('Forge works')
})
