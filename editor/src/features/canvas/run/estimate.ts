import type { Estimate, StepEstimates } from '@/document/backend'
import { dollars, seconds } from '@/lib/format'

/** For example `$0.31 · 40 s`; empty when the estimate is unknown. */
export function formatEstimate(estimate: Estimate | null | undefined): string {
  const parts = []
  if (Number(estimate?.usd ?? 0) > 0) parts.push(dollars(estimate?.usd))
  if (estimate?.seconds) parts.push(seconds(estimate.seconds))
  return parts.join(' · ')
}

/** The estimated cost and duration of a node; for a node that runs another agent, the sum of its steps. */
export function estimateOfNode(steps: StepEstimates, node: string): Estimate | null {
  const own = steps[node]
  if (own) return own
  const inner = Object.entries(steps).flatMap(([id, one]) => (id.startsWith(`${node}/`) ? [one] : []))
  if (inner.length === 0) return null
  return { usd: sum(inner.map((one) => one.usd)), seconds: sum(inner.map((one) => one.seconds)) || null }
}

/** Whether the estimated cost of a run exceeds its budget. */
export function isOverBudget(estimate: Estimate | null, budget: string): boolean {
  return budget.trim() !== '' && Number(estimate?.usd ?? 0) > Number(budget)
}

function sum(numbers: readonly (string | number | null)[]): number {
  return numbers.reduce<number>((total, one) => total + Number(one ?? 0), 0)
}
