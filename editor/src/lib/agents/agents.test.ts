import { describe, expect, it } from 'vitest'
import { coverOf, coversOf } from './cover'
import { findAgents } from './search'

const agent = (name: string, description: string, category: string, mine: boolean) => ({
  name,
  description,
  category,
  mine,
})
const AGENTS = [
  agent('Product Launch Kit', 'Hero images and a teaser', 'creative_assets', false),
  agent('Café Ads', 'Every placement from one brief', 'ads', true),
  agent('Founder Voice', 'Posts that sound like Mara', 'brand_content', true),
]
const names = (text: string, tab: 'product' | 'own', category: string | null = null) =>
  findAgents(AGENTS, { text, tab, category }).map(({ name }) => name)

describe('agent search', () => {
  it('separates the two tabs', () => {
    expect(names('', 'product')).toEqual(['Product Launch Kit'])
    expect(names('', 'own')).toEqual(['Café Ads', 'Founder Voice'])
  })

  it('matches all words in name and description, ignoring accents and case', () => {
    expect(names('cafe BRIEF', 'own')).toEqual(['Café Ads'])
    expect(names('cafe mara', 'own')).toEqual([])
  })

  it('filters by category', () => expect(names('', 'own', 'brand_content')).toEqual(['Founder Voice']))
})

describe('covers', () => {
  it('are equal for the same agent', () => expect(coverOf('a-1')).toBe(coverOf('a-1')))

  it('differ among the agents of one screen', () => {
    const covers = coversOf(Array.from({ length: 12 }, (_, index) => `agent-${index}`))
    expect(new Set(covers.values()).size).toBe(12)
  })

  it('repeat after the last one', () => {
    expect(coversOf(Array.from({ length: 30 }, (_, index) => `agent-${index}`)).size).toBe(30)
  })
})
