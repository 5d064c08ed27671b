/** A zip is put together in the page's memory: what is more than fits there at ease goes in several. */
export const PARCEL_BYTES = 500 * 1024 * 1024

/** Parts a list, in its order, into lists of no more than so many bytes; what is larger alone goes alone. */
export function parcelsOf<Item extends { bytes: number }>(
  items: readonly Item[],
  most = PARCEL_BYTES,
): Item[][] {
  const parcels: Item[][] = []
  let held = Number.POSITIVE_INFINITY
  for (const item of items) {
    if (held + item.bytes > most) {
      parcels.push([])
      held = 0
    }
    parcels.at(-1)?.push(item)
    held += item.bytes
  }
  return parcels
}
