/**
 * Positions in the given order, each at least its gap behind the one before it, with the least sum of weighted
 * squared distances from the wanted positions. Takes linear time (pool adjacent violators).
 * `gaps[i]` is the distance between i - 1 and i; `gaps[0]` is not used.
 */
export function spaced(
  wanted: readonly number[],
  gaps: readonly number[],
  weights?: readonly number[],
): number[] {
  // Without the gaps before each, the positions need only be in ascending order.
  const offsets: number[] = []
  const pools: { sum: number; weight: number; count: number }[] = []
  let offset = 0
  for (const [at, want] of wanted.entries()) {
    if (at > 0) offset += gaps[at] ?? 0
    offsets.push(offset)
    const weight = weights?.[at] ?? 1
    let pool = { sum: (want - offset) * weight, weight, count: 1 }
    let before = pools.at(-1)
    while (before && before.sum / before.weight >= pool.sum / pool.weight) {
      pool = {
        sum: before.sum + pool.sum,
        weight: before.weight + pool.weight,
        count: before.count + pool.count,
      }
      pools.pop()
      before = pools.at(-1)
    }
    pools.push(pool)
  }
  return pools
    .flatMap(({ sum, weight, count }) => Array<number>(count).fill(sum / weight))
    .map((position, at) => position + (offsets[at] as number))
}
