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

describe('finding an agent', () => {
  it('keeps the two tabs apart', () => {
    expect(names('', 'product')).toEqual(['Product Launch Kit'])
    expect(names('', 'own')).toEqual(['Café Ads', 'Founder Voice'])
  })

  it('looks in names and descriptions, all words, without accents or case', () => {
    expect(names('cafe BRIEF', 'own')).toEqual(['Café Ads'])
    expect(names('cafe mara', 'own')).toEqual([])
  })

  it('narrows to a category', () => expect(names('', 'own', 'brand_content')).toEqual(['Founder Voice']))
})

describe('covers', () => {
  it('are the same for the same agent', () => expect(coverOf('a-1')).toBe(coverOf('a-1')))

  it('differ within a screenful', () => {
    const covers = coversOf(Array.from({ length: 12 }, (_, index) => `agent-${index}`))
    expect(new Set(covers.values()).size).toBe(12)
  })

  it('go round again past the last one', () => {
    expect(coversOf(Array.from({ length: 30 }, (_, index) => `agent-${index}`)).size).toBe(30)
  })
})
