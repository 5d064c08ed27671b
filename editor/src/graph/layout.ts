import { portY } from './card-size'
import { type FlowDocument, type FlowNode, type Point, parseEnd, type Size } from './document'
import { setHeights } from './layered/heights'
import { layersOf } from './layered/layers'
import { orderLayers } from './layered/order'
import { type Arc, ranksOf, withoutCycles } from './layered/ranks'

/** The size of a card and the names of its ports, each list from top to bottom. */
export interface CardToPlace extends Size {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
}

/** The space between two columns, in which edges bend, and between parts that are not connected. */
const BETWEEN_COLUMNS = 72
const BETWEEN_PARTS = 72
/** Cards without edges stand in rows of at least this many. */
const LEAST_IN_ROW = 4

interface Placed extends Point {
  readonly id: string
}

/**
 * Automatic positions for all nodes (or the given ones), left to right: few edges cross, and each has room between the
 * cards that it passes. They depend on the nodes and edges alone, and the top left corner stays in place, so that a
 * second time changes nothing.
 */
export function layOut(
  document: FlowDocument,
  cardOf: (node: string) => CardToPlace,
  only?: ReadonlySet<string>,
): Map<string, Point> {
  const chosen = document.nodes.filter((node) => !only || only.has(node.id))
  const cards = chosen.map(({ id }) => cardOf(id))
  const arcs = withoutCycles(chosen.length, arcsOf(document, chosen, cards))
  const placed: Placed[] = []
  let [bottom, right] = [0, 0]
  const alone: number[] = []
  for (const items of partsOf(chosen.length, arcs)) {
    if (items.length === 1) alone.push(...items)
    else {
      const { points, width, height } = placePart(items, cards, arcs)
      for (const [at, { x, y }] of points.entries()) {
        placed.push({ id: chosen[items[at] as number]?.id as string, x, y: y + bottom })
      }
      bottom += height + BETWEEN_PARTS
      right = Math.max(right, width)
    }
  }
  for (const { item, x, y } of inRows(alone, cards, right)) {
    placed.push({ id: chosen[item]?.id as string, x, y: y + bottom })
  }
  return anchored(placed, chosen)
}

function arcsOf(document: FlowDocument, nodes: readonly FlowNode[], cards: readonly CardToPlace[]): Arc[] {
  const indexOf = new Map(nodes.map(({ id }, at) => [id, at]))
  return document.edges.flatMap((edge) => {
    const [source, target] = [parseEnd(edge.from), parseEnd(edge.to)]
    const [from, to] = [indexOf.get(source.node), indexOf.get(target.node)]
    if (from === undefined || to === undefined) return []
    const fromY = portY(rowOf(cards[from]?.outputs, source.port))
    const toY = portY(rowOf(cards[to]?.inputs, target.port))
    return [{ from, to, port: edge.from, fromY, toY }]
  })
}

/** The place of a port from the top; the first for a port that the card does not have. */
function rowOf(ports: readonly string[] = [], port: string): number {
  return Math.max(0, ports.indexOf(port))
}

/** The items that edges connect, each part in the order of the document. */
function partsOf(count: number, arcs: readonly Arc[]): number[][] {
  const leader = Array.from({ length: count }, (_, item) => item)
  const leaderOf = (item: number): number => {
    let at = item
    while (leader[at] !== at) {
      leader[at] = leader[leader[at] as number] as number
      at = leader[at] as number
    }
    return at
  }
  for (const { from, to } of arcs) leader[leaderOf(from)] = leaderOf(to)
  const parts = new Map<number, number[]>()
  for (let item = 0; item < count; item++) {
    const own = parts.get(leaderOf(item))
    if (own) own.push(item)
    else parts.set(leaderOf(item), [item])
  }
  return [...parts.values()]
}

/** The places of connected items, from the origin. */
function placePart(items: readonly number[], cards: readonly CardToPlace[], arcs: readonly Arc[]) {
  const indexOf = new Map(items.map((item, at) => [item, at]))
  const own = arcs.flatMap((arc) => {
    const [from, to] = [indexOf.get(arc.from), indexOf.get(arc.to)]
    return from === undefined || to === undefined ? [] : [{ ...arc, from, to }]
  })
  const sizes = items.map((item) => cards[item] as Size)
  const layers = layersOf(sizes, own, ranksOf(items.length, own))
  orderLayers(layers)
  setHeights(layers)
  const points: Point[] = []
  let left = 0
  for (const layer of layers) {
    let width = 0
    for (const { item, y } of layer) {
      if (item === null) continue
      points[item] = { x: left, y }
      width = Math.max(width, sizes[item]?.width ?? 0)
    }
    left += width + BETWEEN_COLUMNS
  }
  const top = Math.min(...points.map(({ y }) => y))
  const ends = points.map(({ y }, at) => y + (sizes[at]?.height ?? 0))
  return {
    points: points.map(({ x, y }) => ({ x, y: Math.round(y - top) })),
    width: left - BETWEEN_COLUMNS,
    height: Math.max(...ends) - top,
  }
}

/** Rows of cards, as wide as the rest of the flow. */
function inRows(items: readonly number[], cards: readonly CardToPlace[], width: number) {
  let [x, y, tallest, count] = [0, 0, 0, 0]
  return items.map((item) => {
    const size = cards[item] as Size
    if (count >= LEAST_IN_ROW && x + size.width > width) {
      y += tallest + BETWEEN_PARTS
      x = 0
      tallest = 0
      count = 0
    }
    const at = { item, x, y }
    x += size.width + BETWEEN_COLUMNS
    tallest = Math.max(tallest, size.height)
    count += 1
    return at
  })
}

/** Keeps the top left corner of the laid-out nodes in place, so that the view does not jump. */
function anchored(placed: readonly Placed[], chosen: readonly FlowNode[]): Map<string, Point> {
  const before = corner(chosen.map((node) => node.position))
  const after = corner(placed)
  const by = { x: Math.round(before.x) - after.x, y: Math.round(before.y) - after.y }
  return new Map(placed.map(({ id, x, y }) => [id, { x: Math.round(x + by.x), y: Math.round(y + by.y) }]))
}

function corner(points: readonly Point[]): Point {
  return points.reduce((found, { x, y }) => ({ x: Math.min(found.x, x), y: Math.min(found.y, y) }), {
    x: points[0]?.x ?? 0,
    y: points[0]?.y ?? 0,
  })
}
