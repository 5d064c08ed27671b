import { type AgentTab, CATEGORIES, type Category } from '@/lib/agents/search'

/** Which part of the agent list is shown. */
export type AgentsSearch = { tab?: AgentTab | undefined; category?: Category | undefined }

export function agentsSearch(search: Record<string, unknown>): AgentsSearch {
  const tab = (['product', 'own'] as const).find((one) => one === search.tab)
  const category = CATEGORIES.find((one) => one === search.category)
  return { ...(tab && { tab }), ...(category && { category }) }
}
