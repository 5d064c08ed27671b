/** An edge between two items, by index, with the places of its ports from the top of each item. */
export interface Arc {
  readonly from: number
  readonly to: number
  /** The port that it comes from: edges of one port go together as long as they can. */
  readonly port: string
  readonly fromY: number
  readonly toY: number
}

/** The arcs without those that close a cycle, which lead back, and without those from an item to itself. */
export function withoutCycles(count: number, arcs: readonly Arc[]): Arc[] {
  const leaving = byEnd(count, arcs, 'from')
  const state = new Uint8Array(count)
  const back = new Set<Arc>()
  for (let start = 0; start < count; start++) {
    if (state[start]) continue
    state[start] = 1
    const open = [{ item: start, next: 0 }]
    for (let last = open.at(-1); last; last = open.at(-1)) {
      const arc = (leaving[last.item] as Arc[])[last.next++]
      if (!arc) {
        state[last.item] = 2
        open.pop()
      } else if (state[arc.to] === 1) back.add(arc)
      else if (!state[arc.to]) {
        state[arc.to] = 1
        open.push({ item: arc.to, next: 0 })
      }
    }
  }
  return arcs.filter((arc) => !back.has(arc))
}

/**
 * The column of each item: right of all that it takes from. What takes nothing, or gives more than it takes, stands
 * directly before the first that takes from it, so that edges are short. The arcs have no cycle.
 */
export function ranksOf(count: number, arcs: readonly Arc[]): number[] {
  const leaving = byEnd(count, arcs, 'from')
  const arriving = byEnd(count, arcs, 'to')
  const missing = arriving.map((own) => own.length)
  const order = missing.flatMap((waits, item) => (waits === 0 ? [item] : []))
  const ranks = new Array<number>(count).fill(0)
  for (const item of order) {
    for (const { to } of leaving[item] as Arc[]) {
      ranks[to] = Math.max(ranks[to] as number, (ranks[item] as number) + 1)
      missing[to] = (missing[to] as number) - 1
      if (missing[to] === 0) order.push(to)
    }
  }
  for (const item of order.toReversed()) {
    const given = leaving[item] as Arc[]
    if (given.length <= (arriving[item] as Arc[]).length) continue
    ranks[item] = least(given.map(({ to }) => ranks[to] as number)) - 1
  }
  const first = least(ranks)
  return ranks.map((rank) => rank - first)
}

function least(values: readonly number[]): number {
  return values.reduce((found, value) => Math.min(found, value), Infinity)
}

function byEnd(count: number, arcs: readonly Arc[], end: 'from' | 'to'): Arc[][] {
  const found = Array.from({ length: count }, (): Arc[] => [])
  for (const arc of arcs) found[arc[end]]?.push(arc)
  return found
}
