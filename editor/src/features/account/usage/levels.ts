import type { LimitUsage } from '@/lib/api/usage'

/** How close the use is to its limit: `near` from 80 %, `reached` at the limit. */
export type Level = 'free' | 'near' | 'reached'

const NEAR = 0.8

export function levelOf({ used, limit }: Pick<LimitUsage, 'used' | 'limit'>): Level {
  if (Number(used) >= Number(limit)) return 'reached'
  return Number(used) >= Number(limit) * NEAR ? 'near' : 'free'
}

/** Formats when a limit resets: "00:00 UTC" within a day, else "1 Dec, 00:00 UTC". */
export function resetTime(resetsAt: string, now: number = Date.now()): string {
  const time = new Date(resetsAt)
  const clock = `${time.toISOString().slice(11, 16)} UTC`
  if (time.getTime() - now <= 24 * 3600 * 1000) return clock
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
  return `${day.format(time)}, ${clock}`
}
