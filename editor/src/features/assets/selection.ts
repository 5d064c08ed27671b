/** Which assets are chosen, and where the next range starts. */
export type Selection = { ids: ReadonlySet<string>; anchor: string | null }

export const EMPTY_SELECTION: Selection = { ids: new Set(), anchor: null }

export function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, anchor: id }
}

/** Everything from the anchor to here, in the order shown, added to what is chosen. */
export function extended(selection: Selection, id: string, order: readonly string[]): Selection {
  const from = order.indexOf(selection.anchor ?? id)
  const to = order.indexOf(id)
  if (from < 0 || to < 0) return toggled(selection, id)
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { ids: new Set([...selection.ids, ...range]), anchor: selection.anchor ?? id }
}

/** What is no longer in the list is no longer chosen. */
export function withoutRemoved(selection: Selection, order: readonly string[]): Selection {
  const there = new Set(order)
  const ids = [...selection.ids].filter((id) => there.has(id))
  return ids.length === selection.ids.size ? selection : { ids: new Set(ids), anchor: null }
}
