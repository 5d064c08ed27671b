/** Determines which steps to regenerate for a different result. */

import type { FlowDocument } from './expected-results'
import type { Tile } from './tiles'

export interface RerunTarget {
  step: string
  /** The index in the results of the step. */
  place: readonly number[]
}

/** What is known about the steps of a run. */
export interface Steps {
  /** Whether a node of this type is generative. */
  isGenerative: (type: string) => boolean
  /** How many items a step has returned; null if its result is no list. */
  lengthOf: (step: string) => number | null
  /** The steps of the run with their node types, those inside other agents included: `agent/paint`. */
  types: ReadonlyMap<string, string>
}

function nodeOf(end: string): string {
  return end.slice(0, end.lastIndexOf('.'))
}

/**
 * The one generated item of a list (`hero#1`), if it can be determined; else the step itself if it is generative;
 * else the nearest generative steps upstream, with those between.
 */
export function stepsToRerun(flow: FlowDocument, target: RerunTarget, steps: Steps): string[] {
  const { inventors: generative, between } = generativeAncestors(flow, target.step, steps)
  const [source, ...others] = generative
  if (source === undefined) return [target.step]
  const place = others.length === 0 ? itemIndexIn(source, target, steps) : []
  return place.length > 0 ? [`${source}#${place.join('.')}`] : [...between, ...generative]
}

/** Where the item was generated: lists mapped item by item have the same length and order. */
function itemIndexIn(inventor: string, { step, place }: RerunTarget, { lengthOf }: Steps): readonly number[] {
  if (inventor === step) return place
  const length = lengthOf(inventor)
  return length !== null && length === lengthOf(step) ? place.slice(0, 1) : []
}

function generativeAncestors(flow: FlowDocument, step: string, { types, isGenerative }: Steps) {
  const own = new Map((flow.nodes ?? []).map((node) => [node.id, node.type ?? '']))
  const invents = (id: string) => isGenerative(types.get(id) ?? own.get(id) ?? '')
  const seen = new Set([step])
  const [inventors, between]: [string[], string[]] = [[], []]
  for (const id of seen) {
    // The document has no edges of other agents: all their generative steps are taken to lead to their results.
    const inner = invents(id) ? [id] : stepsInside(groupOf(id), types).filter(invents)
    inventors.push(...inner)
    if (!inner.includes(id) && (types.has(id) || inner.length === 0)) between.push(id)
    if (inner.length === 0) for (const source of sourcesOf(flow, id)) seen.add(source)
  }
  return { inventors, between }
}

/** The nodes that are connected to the node of a step. */
function sourcesOf({ edges = [] }: FlowDocument, step: string): string[] {
  const [node] = step.split('/')
  return edges.filter(({ to }) => nodeOf(to) === node).map(({ from }) => nodeOf(from))
}

/** The agent that a step is inside of (`agent` of `agent/paint`), or the node itself. */
function groupOf(step: string): string {
  return step.includes('/') ? step.slice(0, step.lastIndexOf('/')) : step
}

function stepsInside(group: string, types: Steps['types']): string[] {
  return [...types.keys()].filter((step) => step.startsWith(`${group}/`))
}

/** The tiles with the results of the earlier run in place of those that this run keeps and has not yet returned. */
export function withKept(
  tiles: readonly Tile[],
  earlier: readonly Tile[],
  isRegenerated: (tile: Tile) => boolean,
): Tile[] {
  const known = new Map(earlier.map((tile) => [tile.key, tile]))
  return tiles.map((tile) => {
    const before = known.get(tile.key)
    const isPending = tile.state === 'waiting' || tile.state === 'running'
    return isPending && before?.state === 'ready' && !isRegenerated(before)
      ? { ...before, title: tile.title, number: tile.number, of: tile.of }
      : tile
  })
}
