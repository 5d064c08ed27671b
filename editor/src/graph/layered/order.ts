import { crossingsOf, gainOfSwap, placeOf } from './crossings'
import type { Layer, Link, Vertex } from './layers'

/** Segments that are looked at in all sweeps together; a small flow has more sweeps than a large one. */
const WORK = 80_000
const SWEEPS = { least: 6, most: 60 }
/** Swaps of neighbours in one sweep, per column. */
const MAX_ROUNDS = 3
/** Vertices with more links are not swapped with neighbours: each comparison takes the product of their links. */
const MAX_LINKS = 64

/**
 * Orders each column so that few edges cross: every vertex goes to the mean place of its neighbours, column by column to
 * and fro, and neighbours are swapped where that helps. Starts twice, from the first and from the last column; the best
 * order found stays.
 */
export function orderLayers(layers: readonly Layer[]): void {
  const segments = layers.flat().reduce((sum, { before }) => sum + before.length, 1)
  const sweeps = Math.min(SWEEPS.most, Math.max(SWEEPS.least, Math.floor(WORK / segments)))
  const [one, other] = [improved(layers, 'after', sweeps), improved(layers, 'before', sweeps)]
  const best = other.crossings < one.crossings ? other : one
  for (const [at, layer] of layers.entries()) arrange(layer, best.order[at] as Layer)
}

interface Ordered {
  readonly crossings: number
  readonly order: readonly Layer[]
}

/** The best order that sweeps find from one end; they stop where they have not found a better one for long. */
function improved(layers: readonly Layer[], side: 'before' | 'after', sweeps: number): Ordered {
  asReached(layers, side)
  let best = snapshot(layers)
  for (let at = 0, since = 0; at < sweeps && since < sweeps / 3 && best.crossings > 0; at++) {
    sweep(layers, (at % 2 === 0) === (side === 'after'), at % 4 >= 2)
    const now = snapshot(layers)
    since = now.crossings < best.crossings ? 0 : since + 1
    if (now.crossings < best.crossings) best = now
  }
  return best
}

function sweep(layers: readonly Layer[], forward: boolean, areTiesReversed: boolean): void {
  for (const layer of forward ? layers : layers.toReversed()) {
    sortByMean(layer, forward ? 'before' : 'after', areTiesReversed)
  }
  for (const layer of layers) swapNeighbours(layer)
}

/** The order in which the vertices are reached from one end: what belongs together starts together. */
function asReached(layers: readonly Layer[], side: 'before' | 'after'): void {
  const columnOf = new Map(
    layers.flatMap((layer, column) => layer.map((vertex) => [vertex, column] as const)),
  )
  const orders = layers.map((): Layer => [])
  const seen = new Set<Vertex>()
  for (const start of (side === 'after' ? layers : layers.toReversed()).flat()) {
    const open = [start]
    for (let vertex = open.pop(); vertex; vertex = open.pop()) {
      if (seen.has(vertex)) continue
      seen.add(vertex)
      orders[columnOf.get(vertex) as number]?.push(vertex)
      for (const { to } of vertex[side].toReversed()) open.push(to)
    }
  }
  for (const [at, layer] of layers.entries()) arrange(layer, orders[at] as Layer)
}

function snapshot(layers: readonly Layer[]): Ordered {
  return { crossings: crossingsOf(layers), order: layers.map((layer) => [...layer]) }
}

function arrange(layer: Layer, order: readonly Vertex[]): void {
  for (const [at, vertex] of order.entries()) {
    layer[at] = vertex
    vertex.at = at
  }
}

/**
 * Vertices without neighbours on that side keep their place; the others share the places that remain. Of two with the
 * same mean, the order stays or is reversed.
 */
function sortByMean(layer: Layer, side: 'before' | 'after', areTiesReversed: boolean): void {
  const moving = layer.filter((vertex) => vertex[side].length > 0)
  const means = new Map(moving.map((vertex) => [vertex, meanPlace(vertex[side])]))
  if (areTiesReversed) moving.reverse()
  const sorted = moving.toSorted((one, other) => (means.get(one) as number) - (means.get(other) as number))
  let next = 0
  arrange(
    layer,
    layer.map((vertex) => (vertex[side].length > 0 ? (sorted[next++] as Vertex) : vertex)),
  )
}

function meanPlace(links: readonly Link[]): number {
  return links.reduce((sum, link) => sum + placeOf(link), 0) / links.length
}

function swapNeighbours(layer: Layer): void {
  for (let round = 0, swapped = true; swapped && round < MAX_ROUNDS; round++) {
    swapped = false
    for (let at = 1; at < layer.length; at++) {
      const [upper, lower] = [layer[at - 1] as Vertex, layer[at] as Vertex]
      if (linksOf(upper) > MAX_LINKS || linksOf(lower) > MAX_LINKS || gainOfSwap(upper, lower) <= 0) continue
      layer[at - 1] = lower
      layer[at] = upper
      lower.at = at - 1
      upper.at = at
      swapped = true
    }
  }
}

function linksOf({ before, after }: Vertex): number {
  return before.length + after.length
}
