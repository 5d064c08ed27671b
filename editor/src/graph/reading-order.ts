import { type FlowDocument, groupsOf, notesOf, type Point } from './document'

const COLUMN_WIDTH = 160

/**
 * Everything on the canvas as one reads it: left to right, then top to bottom within a column, as the work flows.
 * A group comes before what it holds, a note where it lies.
 */
export function readingOrder(document: FlowDocument): string[] {
  const places = new Map(document.nodes.map((node) => [node.id, node.position]))
  const all = [
    ...groupsOf(document).map(({ id, members }) => ({ id, at: cornerOf(members, places), rank: 0 })),
    ...document.nodes.map(({ id, position }) => ({ id, at: position, rank: 1 })),
    ...notesOf(document).map(({ id, position }) => ({ id, at: position, rank: 2 })),
  ]
  const column = ({ at }: { at: Point }) => Math.round(at.x / COLUMN_WIDTH)
  all.sort((one, other) => column(one) - column(other) || one.at.y - other.at.y || one.rank - other.rank)
  return all.map(({ id }) => id)
}

/** What has the turn when some of these are gone: what follows the first of them, else what comes before it. */
export function neighbourOf(order: readonly string[], gone: ReadonlySet<string>): string | null {
  const first = order.findIndex((id) => gone.has(id))
  const left = (id: string) => !gone.has(id)
  return order.slice(first).find(left) ?? order.slice(0, Math.max(0, first)).findLast(left) ?? null
}

function cornerOf(members: readonly string[], places: ReadonlyMap<string, Point>): Point {
  const held = members.flatMap((member) => places.get(member) ?? [])
  return { x: Math.min(...held.map(({ x }) => x)), y: Math.min(...held.map(({ y }) => y)) }
}
