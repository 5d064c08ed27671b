/** Filters agents by tab, search text and category. */

export const CATEGORIES = [
  'viral_content',
  'ads',
  'creative_assets',
  'brand_content',
  'ai_exploration',
  'uncategorized',
] as const

export type Category = (typeof CATEGORIES)[number]
export type AgentTab = 'product' | 'own'

interface Findable {
  name: string
  description: string
  category: string
  mine: boolean
}

export interface AgentQuery {
  tab: AgentTab
  text: string
  category: string | null
}

export function inTab(agent: Pick<Findable, 'mine'>, tab: AgentTab): boolean {
  return agent.mine === (tab === 'own')
}

/** Removes case and accents, so that `cafe` finds `Café`. */
export function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

export function findAgents<A extends Findable>(agents: readonly A[], query: AgentQuery): A[] {
  const words = folded(query.text).split(/\s+/).filter(Boolean)
  return agents.filter((agent) => {
    if (!inTab(agent, query.tab)) return false
    if (query.category && agent.category !== query.category) return false
    const text = folded(`${agent.name} ${agent.description}`)
    return words.every((word) => text.includes(word))
  })
}
