import { type FlowDocument, groupsOf, notesOf, type Point } from './document'

const COLUMN_WIDTH = 160

/**
 * The ids of everything on the canvas in reading order: columns left to right, each from top to bottom.
 * A group precedes its members; notes are ordered by position.
 */
export function readingOrder(document: FlowDocument): string[] {
  const places = new Map(document.nodes.map((node) => [node.id, node.position]))
  // The sort is stable: of items at one place, a group precedes nodes, and nodes precede notes.
  const all = [
    ...groupsOf(document).map(({ id, members }) => ({ id, at: cornerOf(members, places) })),
    ...document.nodes.map(({ id, position }) => ({ id, at: position })),
    ...notesOf(document).map(({ id, position }) => ({ id, at: position })),
  ]
  const column = ({ at }: { at: Point }) => Math.round(at.x / COLUMN_WIDTH)
  all.sort((one, other) => column(one) - column(other) || one.at.y - other.at.y)
  return all.map(({ id }) => id)
}

/** The item to focus when some are removed: the one after the first removed, else the one before it. */
export function neighbourOf(order: readonly string[], gone: ReadonlySet<string>): string | null {
  const first = order.findIndex((id) => gone.has(id))
  const left = (id: string) => !gone.has(id)
  return order.slice(first).find(left) ?? order.slice(0, first).findLast(left) ?? null
}

function cornerOf(members: readonly string[], places: ReadonlyMap<string, Point>): Point {
  const held = members.flatMap((member) => places.get(member) ?? [])
  return { x: Math.min(...held.map(({ x }) => x)), y: Math.min(...held.map(({ y }) => y)) }
}
