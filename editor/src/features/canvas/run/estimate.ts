import type { Estimate } from '@/document/backend'
import { dollars, seconds } from '@/lib/format'

/** `$0.31 · 40 s`; empty when nobody can tell. */
export function estimateWords(estimate: Estimate | null): string {
  const told = []
  if (estimate?.usd !== null && estimate?.usd !== undefined) told.push(dollars(estimate.usd))
  if (estimate?.seconds) told.push(seconds(estimate.seconds))
  return told.join(' · ')
}
