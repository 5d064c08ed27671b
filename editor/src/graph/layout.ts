import dagre from '@dagrejs/dagre'
import { type FlowDocument, type Point, parseEnd, type Size } from './document'

/** Automatic positions for all nodes (or the given ones), left to right in topological order. */
export function layOut(
  document: FlowDocument,
  sizeOf: (node: string) => Size,
  only?: ReadonlySet<string>,
): Map<string, Point> {
  const chosen = document.nodes.filter((node) => !only || only.has(node.id))
  const ids = new Set(chosen.map((node) => node.id))
  const graph = new dagre.graphlib.Graph({ multigraph: false })
  graph.setGraph({ rankdir: 'LR', nodesep: 44, ranksep: 96, edgesep: 16 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const node of chosen) graph.setNode(node.id, { ...sizeOf(node.id) })
  for (const edge of document.edges) {
    const [from, to] = [parseEnd(edge.from).node, parseEnd(edge.to).node]
    if (ids.has(from) && ids.has(to)) graph.setEdge(from, to)
  }
  dagre.layout(graph)
  return anchored(graph, chosen)
}

/** Keeps the top left corner of the laid-out nodes in place, so that the view does not jump. */
function anchored(
  graph: { node(id: string): { x: number; y: number; width: number; height: number } },
  chosen: FlowDocument['nodes'],
): Map<string, Point> {
  const places = new Map<string, Point>()
  for (const { id } of chosen) {
    const { x, y, width, height } = graph.node(id)
    places.set(id, { x: x - width / 2, y: y - height / 2 })
  }
  const before = corner(chosen.map((node) => node.position))
  const after = corner([...places.values()])
  for (const [id, { x, y }] of places) {
    places.set(id, { x: Math.round(x + before.x - after.x), y: Math.round(y + before.y - after.y) })
  }
  return places
}

function corner(points: readonly Point[]): Point {
  if (points.length === 0) return { x: 0, y: 0 }
  return { x: Math.min(...points.map(({ x }) => x)), y: Math.min(...points.map(({ y }) => y)) }
}
