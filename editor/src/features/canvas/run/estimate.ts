import type { Estimate, StepEstimates } from '@/document/backend'
import { dollars, seconds } from '@/lib/format'

/** `$0.31 · 40 s`; empty when nobody can tell. */
export function formatEstimate(estimate: Estimate | null | undefined): string {
  const parts = []
  if (Number(estimate?.usd ?? 0) > 0) parts.push(dollars(estimate?.usd))
  if (estimate?.seconds) parts.push(seconds(estimate.seconds))
  return parts.join(' · ')
}

/** What a node would cost and take; for one that runs another agent, what that agent's steps would. */
export function estimateOfNode(steps: StepEstimates, node: string): Estimate | null {
  const own = steps[node]
  if (own) return own
  const inner = Object.entries(steps).flatMap(([id, one]) => (id.startsWith(`${node}/`) ? [one] : []))
  if (inner.length === 0) return null
  return { usd: sum(inner.map((one) => one.usd)), seconds: sum(inner.map((one) => one.seconds)) || null }
}

/** Whether a run would, as far as anybody can tell, cost more than it may. */
export function isOverBudget(estimate: Estimate | null, budget: string): boolean {
  return budget.trim() !== '' && Number(estimate?.usd ?? 0) > Number(budget)
}

function sum(numbers: readonly (string | number | null)[]): number {
  return numbers.reduce<number>((total, one) => total + Number(one ?? 0), 0)
}
