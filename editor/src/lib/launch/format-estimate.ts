import { dollars } from '../format'

/** A length of time to expect: coarse on purpose, since it is a guess. */
export function formatExpectedSeconds(seconds: number | null | undefined): string | null {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return null
  if (seconds < 1.5) return 'about 1 s'
  if (seconds < 10) return `about ${Math.round(seconds)} s`
  if (seconds < 90) return `about ${Math.round(seconds / 5) * 5} s`
  return `about ${Math.round(seconds / 60)} min`
}

export type Estimate = { usd?: string | number | null; seconds?: number | null }

/** What a launch will take, for the line beside the button; what nobody knows is left out. */
export function formatEstimate(estimate: Estimate | null | undefined): string[] {
  const usd = estimate?.usd
  const words = [
    formatExpectedSeconds(estimate?.seconds),
    usd === null || usd === undefined ? null : dollars(usd),
  ]
  return words.filter((word): word is string => word !== null)
}
