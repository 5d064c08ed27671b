import { WIDE_CARD_WIDTH } from '../card-room'
import { cardSize } from '../card-size'
import type { Catalog } from '../catalog'
import type { FlowDocument, Point, Size } from '../document'
import { GAP } from './free-place'

type Box = Point & Size

/**
 * The document with cards moved down that would cover others: a node type may have gained a port or a preview since
 * the positions were saved. The same document if none do; otherwise the order of the cards in a column stays.
 */
export function separateCards(document: FlowDocument, catalog: Catalog): FlowDocument {
  const inReadingOrder = [...document.nodes].sort(
    ({ position: one }, { position: other }) => one.y - other.y || one.x - other.x,
  )
  const columns = new Map<number, Box[]>()
  const moved = new Map<string, Point>()
  for (const node of inReadingOrder) {
    const size = cardSize(node, document, catalog)
    const column = Math.floor(node.position.x / WIDE_CARD_WIDTH)
    const near = [column - 1, column, column + 1].flatMap((one) => columns.get(one) ?? [])
    const y = freeHeight({ ...node.position, ...size }, near)
    if (y !== node.position.y) moved.set(node.id, { x: node.position.x, y })
    const box = { x: node.position.x, y, ...size }
    const others = columns.get(column)
    if (others) others.push(box)
    else columns.set(column, [box])
  }
  if (moved.size === 0) return document
  const nodes = document.nodes.map((node) => {
    const position = moved.get(node.id)
    return position ? { ...node, position } : node
  })
  return { ...document, nodes }
}

/** The height of the box, or the first one below it where it covers none of the others. */
function freeHeight(box: Box, others: readonly Box[]): number {
  const across = others.filter(
    (other) => other.y + other.height > box.y && other.x < box.x + box.width && box.x < other.x + other.width,
  )
  across.sort((one, other) => one.y - other.y)
  let { y } = box
  for (const other of across) {
    if (other.y < y + box.height && y < other.y + other.height) y = Math.round(other.y + other.height + GAP)
  }
  return y
}
