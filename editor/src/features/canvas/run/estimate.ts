import type { Estimate, StepEstimates } from '@/document/backend'
import { formatCost, seconds } from '@/lib/format'

/** For example `$0.31 · 40 s` or `40 s · price unknown`; empty when the estimate is unknown. */
export function formatEstimate(estimate: Estimate | null | undefined): string {
  const isPaid = Number(estimate?.usd ?? 0) > 0
  const cost = isPaid || estimate?.price_unknown ? formatCost(estimate) : ''
  const time = estimate?.seconds ? seconds(estimate.seconds) : ''
  return (isPaid ? [cost, time] : [time, cost]).filter(Boolean).join(' · ')
}

/** The estimated cost and duration of a node; for a node that runs another agent, the sum of its steps. */
export function estimateOfNode(steps: StepEstimates, node: string): Estimate | null {
  const own = steps[node]
  if (own) return own
  const inner = Object.entries(steps).flatMap(([id, one]) => (id.startsWith(`${node}/`) ? [one] : []))
  if (inner.length === 0) return null
  return {
    usd: sum(inner.map((one) => one.usd)),
    seconds: sum(inner.map((one) => one.seconds)) || null,
    ...(inner.some((one) => one.price_unknown) && { price_unknown: true }),
  }
}

/** Whether the estimated cost of a run exceeds its budget. */
export function isOverBudget(estimate: Estimate | null, budget: string): boolean {
  return budget.trim() !== '' && Number(estimate?.usd ?? 0) > Number(budget)
}

function sum(numbers: readonly (string | number | null)[]): number {
  return numbers.reduce<number>((total, one) => total + Number(one ?? 0), 0)
}
