import { spaced } from '../routing/spacing'
import type { Layer, Vertex } from './layers'

/** The space between two cards, between a card and an edge that passes, and between two such edges. */
const BETWEEN_CARDS = 44
const CARD_TO_EDGE = 22
const BETWEEN_EDGES = 14

const ROUNDS = 16

/**
 * Sets the height of every vertex in its column, in its order and with space around it, such that edges are as straight
 * as they can be: each column in turn takes the places nearest to its neighbours, from the left, from the right, then from both.
 */
export function setHeights(layers: readonly Layer[]): void {
  const back = layers.toReversed()
  for (const layer of layers) place(layer, [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const layer of layers) place(layer, ['before'])
    for (const layer of back) place(layer, ['after'])
  }
  for (let round = 0; round < ROUNDS; round += 2) {
    for (const layer of [...back, ...layers]) place(layer, ['before', 'after'])
  }
}

/** A vertex without neighbours stays where it is, but gives way. */
const RESTING = 0.01

function place(layer: Layer, sides: readonly ('before' | 'after')[]): void {
  const wanted: number[] = []
  const gaps: number[] = []
  const weights: number[] = []
  for (const [at, vertex] of layer.entries()) {
    const above = layer[at - 1]
    gaps.push(above ? above.height + gapBetween(above, vertex) : 0)
    let [sum, weight] = [vertex.y * RESTING, RESTING]
    for (const side of sides) {
      for (const link of vertex[side]) {
        sum += (link.to.y + link.toY - link.y) * link.weight
        weight += link.weight
      }
    }
    wanted.push(sum / weight)
    weights.push(weight)
  }
  for (const [at, y] of spaced(wanted, gaps, weights).entries()) (layer[at] as Vertex).y = y
}

function gapBetween(upper: Vertex, lower: Vertex): number {
  if (upper.item !== null && lower.item !== null) return BETWEEN_CARDS
  return upper.item === null && lower.item === null ? BETWEEN_EDGES : CARD_TO_EDGE
}
