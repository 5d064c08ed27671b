// @vitest-environment jsdom
import { expect, test } from 'vitest'
import type { NodesAnswer } from '@/lib/api/nodes'
import { providersIn, providerTitle } from './provider-keys'

const type = (provider: unknown) => ({ settings: { properties: { provider } } })
const catalog = (...types: unknown[]) => ({ types }) as unknown as NodesAnswer

test('providers are gathered from every node that asks one, each once, by title', () => {
  const found = providersIn(
    catalog(
      type({ enum: ['auto', 'replicate', 'openai', 'local'] }),
      type({ enum: ['auto', 'openai', 'forge_works'] }),
      { settings: { properties: { text: {} } } },
      { settings: {} },
    ),
  )
  expect(found).toEqual(['forge_works', 'openai', 'replicate'])
})

test('a provider that nobody has heard of is called by its id', () => {
  expect(providerTitle('elevenlabs')).toBe('ElevenLabs')
  expect(providerTitle('forge_works')).toBe('Forge works')
})
