import type { ListedRun } from '@/lib/api/run-list'

/** A line of the list: the heading of a day, or a run. */
export type Line = { key: string; day: string } | { key: string; run: ListedRun }

/** The runs, newest first, with a heading before the first of each local day. */
export function linesOf(runs: readonly ListedRun[]): Line[] {
  const lines: Line[] = []
  let before = ''
  for (const run of runs) {
    const day = dayOf(new Date(run.created_at))
    if (day !== before) lines.push({ key: day, day })
    before = day
    lines.push({ key: run.id, run })
  }
  return lines
}

/** The local date of a time, as YYYY-MM-DD. */
export function dayOf(time: Date): string {
  const [month, date] = [time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${time.getFullYear()}-${month}-${date}`
}

/** The start of the local day that many days ago, as the server takes it; 1 is today. */
export function sinceDays(days: number, now: Date = new Date()): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1).toISOString()
}

/** The newer states of runs in place of the ones that are known, and new runs before them. */
export function merged(known: readonly ListedRun[], newest: readonly ListedRun[]): ListedRun[] {
  const newer = new Map(newest.map((run) => [run.id, run]))
  const shown = new Set(known.map(({ id }) => id))
  const last = known[0]?.id
  // Ids sort by age: a run after the newest known one is new.
  const added = newest.filter(({ id }) => !shown.has(id) && (last === undefined || id > last))
  return [...added, ...known.map((run) => newer.get(run.id) ?? run)]
}
