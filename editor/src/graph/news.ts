import { diff, type FlowDiff } from './diff'
import { type FlowDocument, type Group, groupsOf, notesOf, type Point, type Size } from './document'

/** What an edit did to the canvas: what a diff tells, and what is only to be seen. */
export interface EditSummary extends FlowDiff {
  readonly moved: readonly { readonly id: string; readonly to: Point }[]
  /** How many notes came, or went. */
  readonly notes: number
  /** The notes that are larger or smaller now. */
  readonly resized: readonly Size[]
  readonly grouped: string | null
  readonly ungrouped: string | null
}

export function summarizeEdit(before: FlowDocument, after: FlowDocument): EditSummary {
  const old = new Map(before.nodes.map((node) => [node.id, node.position]))
  const moved = after.nodes.flatMap(({ id, position }) => {
    const was = old.get(id)
    return !was || (was.x === position.x && was.y === position.y) ? [] : [{ id, to: position }]
  })
  const sizes = new Map(notesOf(before).map(({ id, size }) => [id, size]))
  const resized = notesOf(after).flatMap(({ id, size }) => {
    const was = sizes.get(id)
    return !was || (was.width === size.width && was.height === size.height) ? [] : [size]
  })
  return {
    ...diff(before, after),
    moved,
    resized,
    notes: notesOf(after).length - notesOf(before).length,
    grouped: titleOfNew(groupsOf(before), groupsOf(after)),
    ungrouped: titleOfNew(groupsOf(after), groupsOf(before)),
  }
}

function titleOfNew(known: readonly Group[], groups: readonly Group[]): string | null {
  const ids = new Set(known.map(({ id }) => id))
  return groups.find(({ id }) => !ids.has(id))?.title ?? null
}
