import { portY } from '@/graph/card-size'
import type { FlowEdge, Point } from '@/graph/document'
import { distanceToPath, type EdgePath, extentOf, overlaps } from '@/graph/routing/edge-path'
import { pathBetween } from '../edges/edge-lanes'
import type { CanvasEdge, CardNode } from './canvas-elements'

/** The edge under a point, into which a card dropped there is inserted. */
export function nearestEdge(
  point: Point,
  edges: readonly CanvasEdge[],
  cards: ReadonlyMap<string, CardNode>,
  except: string | null,
  reach = 34,
): FlowEdge | null {
  let best: { edge: FlowEdge; distance: number } | null = null
  const around = {
    left: point.x - reach,
    top: point.y - reach,
    right: point.x + reach,
    bottom: point.y + reach,
  }
  for (const edge of edges) {
    if (!edge.data || edge.source === except || edge.target === except) continue
    const path = pathOf(edge, cards)
    if (!path || !overlaps(extentOf(path), around)) continue
    const distance = distanceToPath(point, path)
    if (distance <= reach && (!best || distance < best.distance)) best = { edge: edge.data.edge, distance }
  }
  return best?.edge ?? null
}

function pathOf(edge: CanvasEdge, cards: ReadonlyMap<string, CardNode>): EdgePath | null {
  const [source, target] = [cards.get(edge.source), cards.get(edge.target)]
  if (!source || !target) return null
  const out = source.data.outputs.findIndex((port) => port.name === edge.sourceHandle)
  const into = target.data.inputs.findIndex((port) => port.name === edge.targetHandle)
  return pathBetween(
    { x: source.position.x + source.data.room.width, y: source.position.y + portY(out) },
    { x: target.position.x, y: target.position.y + portY(into) },
    edge.data?.lane,
  )
}
