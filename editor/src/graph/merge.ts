import { edgeId, type FlowDocument, type FlowEdge, type FlowNode, parseEnd } from './document'

export type Side = 'mine' | 'theirs'

/** One thing that the two sides made different of what they began with. */
export interface Difference {
  /** A node's id, `edge:…` for a connection, or `canvas` for notes and groups. */
  readonly key: string
  readonly mine: FlowNode | FlowEdge | undefined
  readonly theirs: FlowNode | FlowEdge | undefined
  /** Both sides changed it, each its own way. */
  readonly clash: boolean
  /** What is taken when nobody chooses: the side that changed it; mine in a clash. */
  readonly suggested: Side
}

/** Every node on which mine and theirs differ, with what to take unless the person says otherwise. */
export function differences(start: FlowDocument, mine: FlowDocument, theirs: FlowDocument): Difference[] {
  const [begun, left, right] = [byId(start), byId(mine), byId(theirs)]
  const ids = [...new Set([...right.keys(), ...left.keys()])]
  return ids.flatMap((id) => {
    const difference = compare(begun.get(id), left.get(id), right.get(id))
    return difference ? [{ key: id, ...difference }] : []
  })
}

/** Joins the two node by node; connections follow the nodes, three ways, and never dangle. */
export function merge(
  start: FlowDocument,
  mine: FlowDocument,
  theirs: FlowDocument,
  choices: ReadonlyMap<string, Side> = new Map(),
): FlowDocument {
  const picked = new Map(
    differences(start, mine, theirs).map((difference) => [
      difference.key,
      choices.get(difference.key) ?? difference.suggested,
    ]),
  )
  const [left, right] = [byId(mine), byId(theirs)]
  const ids = [...new Set([...right.keys(), ...left.keys()])]
  const nodes = ids.flatMap((id) => {
    const side = picked.get(id) ?? 'theirs'
    return (side === 'mine' ? left : right).get(id) ?? []
  })
  const kept = new Set(nodes.map((node) => node.id))
  const edges = mergeEdges(start, mine, theirs, picked).filter(
    (edge) => kept.has(parseEnd(edge.from).node) && kept.has(parseEnd(edge.to).node),
  )
  return { ...theirs, ...changedTop(start, mine), nodes, edges }
}

function compare(start: FlowNode | undefined, mine: FlowNode | undefined, theirs: FlowNode | undefined) {
  if (same(mine, theirs)) return null
  const [iChanged, theyChanged] = [!same(start, mine), !same(start, theirs)]
  const suggested: Side = iChanged ? 'mine' : 'theirs'
  return { mine, theirs, clash: iChanged && theyChanged, suggested }
}

/** Input by input: the side that rewired it wins; where both did, the side chosen for that node. */
function mergeEdges(
  start: FlowDocument,
  mine: FlowDocument,
  theirs: FlowDocument,
  picked: ReadonlyMap<string, Side>,
): FlowEdge[] {
  const [begun, left, right] = [byTarget(start), byTarget(mine), byTarget(theirs)]
  return [...new Set([...right.keys(), ...left.keys()])].flatMap((target) => {
    const [before, mineNow, theirsNow] = [begun, left, right].map((side) => side.get(target) ?? []) as [
      FlowEdge[],
      FlowEdge[],
      FlowEdge[],
    ]
    if (sameEdges(before, mineNow)) return theirsNow
    if (sameEdges(before, theirsNow)) return mineNow
    return (picked.get(parseEnd(target).node) ?? 'mine') === 'mine' ? mineNow : theirsNow
  })
}

function byTarget(document: FlowDocument): Map<string, FlowEdge[]> {
  const groups = new Map<string, FlowEdge[]>()
  for (const edge of document.edges) groups.set(edge.to, [...(groups.get(edge.to) ?? []), edge])
  return groups
}

function sameEdges(one: readonly FlowEdge[], other: readonly FlowEdge[]): boolean {
  return one.map(edgeId).join() === other.map(edgeId).join()
}

/** My changes to what is neither node nor edge: the name, notes, groups. */
function changedTop(start: FlowDocument, mine: FlowDocument): Partial<FlowDocument> {
  const { nodes: _nodes, edges: _edges, ...top } = mine
  const before = start as unknown as Record<string, unknown>
  return Object.fromEntries(Object.entries(top).filter(([key, value]) => !same(before[key], value)))
}

function byId(document: FlowDocument): Map<string, FlowNode> {
  return new Map(document.nodes.map((node) => [node.id, node]))
}

function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
