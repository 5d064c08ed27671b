import type { Category } from '@/lib/agents/search'
import type { FlowSummary } from '@/lib/api/flows'

export type UseCase = { category: Category; agents: number }

/** The categories of one's own agents, the most used first. */
export function countUseCases(flows: readonly Pick<FlowSummary, 'mine' | 'category'>[]): UseCase[] {
  const counts = new Map<Category, number>()
  for (const { mine, category } of flows) {
    if (mine) counts.set(category, (counts.get(category) ?? 0) + 1)
  }
  return [...counts]
    .map(([category, agents]) => ({ category, agents }))
    .sort((one, other) => other.agents - one.agents)
}
