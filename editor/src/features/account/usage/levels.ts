import type { LimitUsage } from '@/lib/api/usage'
import { bytes, dollars } from '@/lib/format'

/** How close the use is to its limit: `near` from 80 %, `reached` at the limit. */
export type Level = 'free' | 'near' | 'reached'

const NEAR = 0.8

export function levelOf({ used, limit }: Pick<LimitUsage, 'used' | 'limit'>): Level {
  if (Number(used) >= Number(limit)) return 'reached'
  return Number(used) >= Number(limit) * NEAR ? 'near' : 'free'
}

/** Formats a use or a limit in its unit: "1,200", "3.2 GB", "$0.31". */
export function amount(value: LimitUsage['used'], unit: LimitUsage['unit']): string {
  if (unit === 'usd') return dollars(value)
  return unit === 'bytes' ? bytes(Number(value)) : Number(value).toLocaleString('en')
}

/** Formats when a limit resets: "00:00 UTC" within a day, else "1 Dec, 00:00 UTC". */
export function resetTime(resetsAt: string, now: number = Date.now()): string {
  const time = new Date(resetsAt)
  const clock = `${time.toISOString().slice(11, 16)} UTC`
  if (time.getTime() - now <= 24 * 3600 * 1000) return clock
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
  return `${day.format(time)}, ${clock}`
}
