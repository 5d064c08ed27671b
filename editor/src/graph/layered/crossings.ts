import type { Layer, Link, Vertex } from './layers'

/** The number of pairs of segments that cross between the columns. */
export function crossingsOf(layers: readonly Layer[]): number {
  return layers.slice(1).reduce((sum, layer) => sum + crossingsBefore(layer), 0)
}

/** Counts how often a segment that ends higher starts lower: with a tree of counts, in n log n steps. */
function crossingsBefore(layer: Layer): number {
  const starts = layer.flatMap((vertex) => vertex.before.map(placeOf))
  const places = Float64Array.from(starts).sort()
  const counts = new Int32Array(places.length + 1)
  let [crossings, seen, next] = [0, 0, 0]
  for (const { before } of layer) {
    // Links at one port do not cross each other.
    for (let from = 0, to = 0; from < before.length; from = to) {
      while (before[to]?.y === before[from]?.y) to += 1
      for (let at = from; at < to; at++) {
        crossings += seen - countTo(counts, rankIn(places, starts[next + at] as number))
      }
      for (let at = from; at < to; at++) add(counts, rankIn(places, starts[next + at] as number))
      seen += to - from
    }
    next += before.length
  }
  return crossings
}

/** How many of the sorted places are not behind this one. */
function rankIn(places: Float64Array, place: number): number {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] as number) <= place) low = middle + 1
    else high = middle
  }
  return low
}

/** Where the other end of a link is in its column: the index of the vertex, and how far down its port is. */
export function placeOf({ to, toY }: Link): number {
  return to.at + share(toY, to)
}

function share(y: number, { height }: Vertex): number {
  return height > 0 ? Math.min(0.99, Math.max(0, y / height)) : 0.5
}

function add(counts: Int32Array, rank: number): void {
  for (let at = rank; at < counts.length; at += at & -at) counts[at] = (counts[at] as number) + 1
}

function countTo(counts: Int32Array, rank: number): number {
  let sum = 0
  for (let at = rank; at > 0; at -= at & -at) sum += counts[at] as number
  return sum
}

/** How many crossings more there are between the links of two neighbours in one order than in the other. */
export function gainOfSwap(upper: Vertex, lower: Vertex): number {
  return gainOn(upper.before, lower.before) + gainOn(upper.after, lower.after)
}

function gainOn(upper: readonly Link[], lower: readonly Link[]): number {
  let gain = 0
  for (const one of upper) {
    const place = placeOf(one)
    for (const other of lower) gain += Math.sign(place - placeOf(other))
  }
  return gain
}
