import { CARD_WIDTH, portY } from '@/graph/card-size'
import { type FlowDocument, type FlowEdge, type Point, parseEnd } from '@/graph/document'
import type { CardNode } from './canvas-elements'

const CURVE_SAMPLES = 16

/** The edge under a point, into which a card dropped there is inserted. */
export function nearestEdge(
  point: Point,
  document: FlowDocument,
  cards: ReadonlyMap<string, CardNode>,
  except: string | null,
  reach = 34,
): FlowEdge | null {
  let best: { edge: FlowEdge; distance: number } | null = null
  for (const edge of document.edges) {
    const [from, to] = [parseEnd(edge.from), parseEnd(edge.to)]
    if (from.node === except || to.node === except) continue
    const line = ends(edge, cards)
    if (!line || !isNear(point, line, reach)) continue
    const distance = toCurve(point, line)
    if (distance <= reach && (!best || distance < best.distance)) best = { edge, distance }
  }
  return best?.edge ?? null
}

interface Line {
  readonly from: Point
  readonly to: Point
}

function ends(edge: FlowEdge, cards: ReadonlyMap<string, CardNode>): Line | null {
  const [from, to] = [parseEnd(edge.from), parseEnd(edge.to)]
  const [source, target] = [cards.get(from.node), cards.get(to.node)]
  if (!source || !target) return null
  const out = source.data.outputs.findIndex((port) => port.name === from.port)
  const into = target.data.inputs.findIndex((port) => port.name === to.port)
  return {
    from: { x: source.position.x + CARD_WIDTH, y: source.position.y + portY(out) },
    to: { x: target.position.x, y: target.position.y + portY(into) },
  }
}

function isNear({ x, y }: Point, { from, to }: Line, reach: number): boolean {
  return (
    x >= Math.min(from.x, to.x) - reach &&
    x <= Math.max(from.x, to.x) + reach &&
    y >= Math.min(from.y, to.y) - reach &&
    y <= Math.max(from.y, to.y) + reach
  )
}

function toCurve(point: Point, { from, to }: Line): number {
  const bend = Math.max(30, Math.abs(to.x - from.x) / 2)
  let least = Number.POSITIVE_INFINITY
  for (let step = 0; step <= CURVE_SAMPLES; step++) {
    const t = step / CURVE_SAMPLES
    const x = bezier(from.x, from.x + bend, to.x - bend, to.x, t)
    const y = bezier(from.y, from.y, to.y, to.y, t)
    least = Math.min(least, Math.hypot(point.x - x, point.y - y))
  }
  return least
}

function bezier(a: number, b: number, c: number, d: number, t: number): number {
  const u = 1 - t
  return u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d
}
