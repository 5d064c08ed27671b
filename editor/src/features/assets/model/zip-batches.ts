/** A zip is put together in the page's memory: what is more than fits there at ease goes in several. */
export const MAX_BATCH_BYTES = 500 * 1024 * 1024

/** Parts a list, in its order, into lists of no more than so many bytes; what is larger alone goes alone. */
export function zipBatches<Item extends { bytes: number }>(
  items: readonly Item[],
  maxBytes = MAX_BATCH_BYTES,
): Item[][] {
  const batches: Item[][] = []
  let held = Number.POSITIVE_INFINITY
  for (const item of items) {
    if (held + item.bytes > maxBytes) {
      batches.push([])
      held = 0
    }
    batches.at(-1)?.push(item)
    held += item.bytes
  }
  return batches
}
