import type { Size } from '../document'
import type { Arc } from './ranks'

/** One end of a segment, seen from the other. */
export interface Link {
  readonly to: Vertex
  /** Where the segment leaves this vertex and arrives at the other, from the top of each. */
  readonly y: number
  readonly toY: number
  /** How much it counts that the segment is straight. */
  readonly weight: number
}

/** An item in its column, or the place where an edge passes a column. */
export interface Vertex {
  /** The item; null where an edge passes. */
  readonly item: number | null
  readonly height: number
  /** From top to bottom. */
  readonly before: Link[]
  readonly after: Link[]
  /** The index in its column. */
  at: number
  /** Where its top is. */
  y: number
}

export type Layer = Vertex[]

/** Edges pass columns at this many places at most; the longest edges have no place if there would be more. */
const MAX_PASSES = 4000

/** A straight passage over several columns is worth more than straight ends. */
const PASSING = 8
const TO_PASS = 2

/** The columns of items, in which every edge has a place. Edges of one port share it. */
export function layersOf(sizes: readonly Size[], arcs: readonly Arc[], ranks: readonly number[]): Layer[] {
  const vertices = sizes.map(({ height }, item) => vertexOf(item, height))
  const layers: Layer[] = []
  for (const [item, vertex] of vertices.entries()) put(layers, ranks[item] as number, vertex)
  const span = ({ from, to }: Arc) => (ranks[to] as number) - (ranks[from] as number)
  const passes = new Map<string, Vertex[]>()
  let left = MAX_PASSES
  for (const arc of [...arcs].sort((one, other) => span(one) - span(other))) {
    const [from, to] = [vertices[arc.from] as Vertex, vertices[arc.to] as Vertex]
    const own = passes.get(arc.port) ?? []
    passes.set(arc.port, own)
    const needed = span(arc) - 1 - own.length
    if (needed > left) continue
    for (let more = 0; more < needed; more++) {
      const pass = vertexOf(null, 0)
      const last = own.at(-1)
      if (last) link(last, pass, 0, 0, PASSING)
      else link(from, pass, arc.fromY, 0, TO_PASS)
      own.push(pass)
      put(layers, (ranks[arc.from] as number) + own.length, pass)
      left -= 1
    }
    const last = own[span(arc) - 2]
    if (last) link(last, to, 0, arc.toY, TO_PASS)
    else link(from, to, arc.fromY, arc.toY, 1)
  }
  for (const vertex of layers.flat()) {
    vertex.before.sort(fromTop)
    vertex.after.sort(fromTop)
  }
  return layers
}

function fromTop(one: Link, other: Link): number {
  return one.y - other.y
}

function vertexOf(item: number | null, height: number): Vertex {
  return { item, height, before: [], after: [], at: 0, y: 0 }
}

function put(layers: Layer[], rank: number, vertex: Vertex): void {
  while (layers.length <= rank) layers.push([])
  const layer = layers[rank] as Layer
  vertex.at = layer.length
  layer.push(vertex)
}

function link(from: Vertex, to: Vertex, fromY: number, toY: number, weight: number): void {
  from.after.push({ to, y: fromY, toY, weight })
  to.before.push({ to: from, y: toY, toY: fromY, weight })
}
