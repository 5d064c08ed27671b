import type { LimitUsage } from '@/lib/api/usage'

export const GROUPS = ['money', 'runs', 'storage', 'open'] as const
export type Group = (typeof GROUPS)[number]

const GROUP_OF: Record<LimitUsage['name'], Group> = {
  usd_per_day: 'money',
  usd_per_month: 'money',
  runs_per_day: 'runs',
  concurrent_runs: 'runs',
  queued_runs: 'runs',
  stored_bytes: 'storage',
  assets: 'storage',
  agents: 'storage',
  brands: 'storage',
  versions: 'storage',
  streams: 'open',
  uploads: 'open',
  exports: 'open',
}

/** Returns the limits of each group that has any, in the order in which they are shown. */
export function grouped(items: readonly LimitUsage[]): { group: Group; items: LimitUsage[] }[] {
  return GROUPS.map((group) => ({
    group,
    items: items.filter(({ name }) => GROUP_OF[name] === group),
  })).filter(({ items }) => items.length > 0)
}
