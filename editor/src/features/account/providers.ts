import type { NodesAnswer } from '@/lib/api/nodes'

const TITLES: Record<string, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Google Gemini',
  mistral: 'Mistral',
  groq: 'Groq',
  openrouter: 'OpenRouter',
  openai_compatible: 'OpenAI-compatible server',
  replicate: 'Replicate',
  elevenlabs: 'ElevenLabs',
}
const KEYLESS = new Set(['auto', 'local', 'ollama'])

/** How a provider is called; one nobody has heard of by its id. */
export function providerTitle(id: string): string {
  return TITLES[id] ?? id.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())
}

/** Every provider that some node can ask and that takes a key, as the catalog names them. */
export function providersIn(catalog: NodesAnswer): string[] {
  const found = new Set<string>()
  for (const { settings } of catalog.types) {
    const properties = settings.properties as Record<string, { enum?: unknown[] }> | undefined
    for (const id of properties?.provider?.enum ?? []) {
      if (typeof id === 'string' && !KEYLESS.has(id)) found.add(id)
    }
  }
  return [...found].sort((one, other) => providerTitle(one).localeCompare(providerTitle(other)))
}
