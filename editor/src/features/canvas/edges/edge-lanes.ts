import { useMemo, useRef, useState } from 'react'
import { cardHeight, portY, sizeOfShape } from '@/graph/card-size'
import type { Point } from '@/graph/document'
import type { Port } from '@/graph/ports'
import type { Card } from '@/graph/routing/card-grid'
import type { EdgePath } from '@/graph/routing/edge-path'
import { LaneRouter } from '@/graph/routing/lanes'
import type { Wire } from '@/graph/routing/wire'
import type { CanvasEdge, CanvasNode, CardNode, Lane } from '../interactions/canvas-elements'
import { PORT_SIZE } from '../interactions/card-geometry'

/** Ports that moved less than this, in pixels, keep the lane of their edge: browsers measure them in fractions. */
const SAME_PLACE = 8

/** The path of an edge: through its lane, or a curve if it has none or its ends have moved since. */
export function pathBetween(from: Point, to: Point, lane: Lane | undefined): EdgePath {
  if (!lane || !isNear(lane.from, from) || !isNear(lane.to, to)) return [from, to]
  return [from, ...lane.points, to]
}

function isNear(one: Point, other: Point): boolean {
  return Math.abs(one.x - other.x) < SAME_PLACE && Math.abs(one.y - other.y) < SAME_PLACE
}

/** The edges with the lanes that lead them past cards. While cards are dragged, the lanes stay as they were. */
export function useLanes(nodes: readonly CanvasNode[], edges: readonly CanvasEdge[]): CanvasEdge[] {
  const last = useRef<Routed>({ cards: [], wires: [], lanes: new Map() })
  const seen = useRef<Seen>({ nodes: [], edges: [] })
  const known = useRef(new Map<string, { edge: CanvasEdge; routed: CanvasEdge }>())
  const [router] = useState(() => new LaneRouter())
  const lanes = useMemo(() => {
    if (nodes.some((node) => node.dragging)) return last.current.lanes
    const before = seen.current
    seen.current = { nodes, edges }
    if (before.edges === edges && areInPlace(before.nodes, nodes)) return last.current.lanes
    const places = placesOf(nodes, edges)
    if (!isSame(places, last.current)) {
      last.current = { ...places, lanes: lanesFor(places, router, last.current.lanes) }
    }
    return last.current.lanes
  }, [nodes, edges, router])
  return useMemo(() => {
    const before = known.current
    known.current = new Map()
    if (lanes.size === 0) return edges as CanvasEdge[]
    return edges.map((edge) => {
      const lane = lanes.get(edge.id)
      if (!lane || !edge.data) return edge
      const old = before.get(edge.id)
      const same = old?.edge === edge && old.routed.data?.lane === lane
      const routed = same ? old.routed : { ...edge, data: { ...edge.data, lane } }
      known.current.set(edge.id, { edge, routed })
      return routed
    })
  }, [edges, lanes])
}

interface Seen {
  readonly nodes: readonly CanvasNode[]
  readonly edges: readonly CanvasEdge[]
}

/** Whether all cards and their ports are where they were. Compares the names of ports, not their places. */
function areInPlace(before: readonly CanvasNode[], nodes: readonly CanvasNode[]): boolean {
  return (
    before.length === nodes.length &&
    nodes.every((node, at) => {
      const old = before[at] as CanvasNode
      if (old === node || (old.type !== 'card' && node.type !== 'card')) return true
      return old.type === 'card' && node.type === 'card' && isInPlace(old, node)
    })
  )
}

function isInPlace(one: CardNode, other: CardNode): boolean {
  if (one.id !== other.id || cardHeight(one.data) !== cardHeight(other.data)) return false
  if (one.data.room.width !== other.data.room.width) return false
  if (one.position.x !== other.position.x || one.position.y !== other.position.y) return false
  return (
    haveSameNames(one.data.inputs, other.data.inputs) && haveSameNames(one.data.outputs, other.data.outputs)
  )
}

function haveSameNames(ports: readonly Port[], others: readonly Port[]): boolean {
  return ports.length === others.length && ports.every(({ name }, at) => name === others[at]?.name)
}

interface Places {
  readonly cards: readonly Card[]
  readonly wires: readonly Wire[]
}

interface Routed extends Places {
  readonly lanes: ReadonlyMap<string, Lane>
}

/** The lanes of all edges where cards and ports are now; a lane that has not changed is the object that it was. */
export function lanesFor(
  { cards, wires }: Places,
  router = new LaneRouter(),
  before: ReadonlyMap<string, Lane> = new Map(),
): Map<string, Lane> {
  const points = router.route(cards, wires)
  return new Map(
    wires.flatMap(({ id, from, to }) => {
      const own = points.get(id)
      if (!own) return []
      const old = before.get(id)
      const isSameLane = old?.points === own && isNear(old.from, from) && isNear(old.to, to)
      return [[id, old && isSameLane ? old : { from, to, points: own }] as const]
    }),
  )
}

/** Where the cards and the ports of edges are; ports have no place before their card is known. */
export function placesOf(nodes: readonly CanvasNode[], edges: readonly CanvasEdge[]): Places {
  const cards = new Map(nodes.flatMap((node) => (node.type === 'card' ? [[node.id, node] as const] : [])))
  const wires = edges.flatMap((edge) => {
    const [source, target] = [cards.get(edge.source), cards.get(edge.target)]
    if (!source || !target) return []
    return [
      {
        id: edge.id,
        port: `${edge.source}.${edge.sourceHandle}`,
        source: source.id,
        target: target.id,
        from: portPlace(source, edge.sourceHandle, 'outputs'),
        to: portPlace(target, edge.targetHandle, 'inputs'),
      },
    ]
  })
  return { cards: [...cards.values()].map(boxOf), wires }
}

function boxOf({ id, position, data }: CardNode): Card {
  return { id, x: position.x, y: position.y, ...sizeOfShape(data) }
}

/** The outer side of a port, where React Flow attaches its edges. */
function portPlace(
  { position, data }: CardNode,
  name: string | null | undefined,
  side: 'inputs' | 'outputs',
) {
  const at = data[side].findIndex((port) => port.name === name)
  const x = side === 'outputs' ? data.room.width + PORT_SIZE / 2 : -PORT_SIZE / 2
  return { x: position.x + x, y: position.y + portY(at) }
}

function isSame(one: Places, other: Places): boolean {
  return (
    one.cards.length === other.cards.length &&
    one.wires.length === other.wires.length &&
    one.cards.every((card, at) => isSameCard(card, other.cards[at] as Card)) &&
    one.wires.every((wire, at) => isSameWire(wire, other.wires[at] as Wire))
  )
}

function isSameCard(one: Card, other: Card): boolean {
  return (
    one.id === other.id &&
    one.x === other.x &&
    one.y === other.y &&
    one.width === other.width &&
    one.height === other.height
  )
}

function isSameWire(one: Wire, other: Wire): boolean {
  return (
    one.id === other.id &&
    one.from.x === other.from.x &&
    one.from.y === other.from.y &&
    one.to.x === other.to.x &&
    one.to.y === other.to.y
  )
}
