/** The categories of agents, and the tabs of the two pages that list agents. */

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

export interface AgentQuery {
  tab: AgentTab
  text: string
  category: Category | null
}
