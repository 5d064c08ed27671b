import { makesVisual } from '../card-room'
import { cardSize } from '../card-size'
import type { Catalog } from '../catalog'
import { type FlowDocument, type FlowNode, type Point, parseEnd, type Size } from '../document'
import { indexOf } from '../graph-index'
import { GAP } from './free-place'

type Box = Point & Size

/**
 * The edited document with cards moved down that a card would cover which the edit made larger: more images, another
 * shape of them, a setting that became a port. The same document if no card grew over another. Cards that overlapped
 * before stay where they are.
 */
export function makeRoom(before: FlowDocument, after: FlowDocument, catalog: Catalog): FlowDocument {
  if (before === after) return after
  const grown = grownCards(before, after, catalog)
  if (grown.length === 0) return after
  const boxes = new Map(after.nodes.map((node) => [node.id, boxOf(node, after, catalog)]))
  const moved = new Set<string>()
  const covering = grown.map(({ id, was }) => ({ id, was }))
  for (const { id, was } of covering) {
    const box = boxes.get(id) as Box
    for (const [other, there] of boxes) {
      if (other === id || !isOver(box, there) || isOver(was, there)) continue
      const down = { ...there, y: Math.round(box.y + box.height + GAP) }
      if (down.y <= there.y) continue
      boxes.set(other, down)
      moved.add(other)
      covering.push({ id: other, was: there })
    }
  }
  if (moved.size === 0) return after
  const nodes = after.nodes.map((node) => {
    const box = moved.has(node.id) ? boxes.get(node.id) : undefined
    return box ? { ...node, position: { x: box.x, y: box.y } } : node
  })
  return { ...after, nodes }
}

function boxOf(node: FlowNode, document: FlowDocument, catalog: Catalog): Box {
  return { ...node.position, ...cardSize(node, document, catalog) }
}

function isOver(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  )
}

/** The cards in their place that the edit made larger, with the boxes that they had. */
function grownCards(before: FlowDocument, after: FlowDocument, catalog: Catalog): { id: string; was: Box }[] {
  const { nodes: old } = indexOf(before, catalog)
  const { nodes } = indexOf(after, catalog)
  return [...changedCards(before, after, catalog)].flatMap((id) => {
    const [was, now] = [old.get(id), nodes.get(id)]
    if (!was || !now || was.position !== now.position) return []
    const [then, box] = [boxOf(was, before, catalog), boxOf(now, after, catalog)]
    return box.width > then.width || box.height > then.height ? [{ id, was: then }] : []
  })
}

/** The changed nodes, those at the ends of new edges, and those that show what these make in its shape. */
function changedCards(before: FlowDocument, after: FlowDocument, catalog: Catalog): ReadonlySet<string> {
  const { nodes, outgoing } = indexOf(after, catalog)
  const old = new Set(before.nodes)
  const changed = after.nodes.filter((node) => !old.has(node)).map(({ id }) => id)
  const edges = new Set(before.edges)
  const fed = after.edges === before.edges ? [] : after.edges.filter((edge) => !edges.has(edge))
  const found = new Set([...changed, ...fed.map(({ to }) => parseEnd(to).node)])
  for (const id of found) {
    const node = nodes.get(id)
    const type = node && catalog.typeOf(node)
    if (type && makesVisual(type))
      for (const edge of outgoing.get(id) ?? []) found.add(parseEnd(edge.to).node)
  }
  return found
}
