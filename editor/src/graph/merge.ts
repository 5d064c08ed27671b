import {
  byId,
  type Difference,
  isEqual,
  nodeDifferences,
  type PartDifference,
  partKey,
  type Side,
} from './diff'
import {
  edgeId,
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  freshId,
  groupsOf,
  parseEnd,
} from './document'
import { withUses, withVariables } from './edits/variables'
import { type Choices, mergeAnnotations, mergeRecords, renameClashingAnnotations } from './merge-annotations'
import { mergeVariables } from './merge-variables'

export type { Choices }

/**
 * Merges two documents with a common start: items that both have by property, others as a whole.
 * Without a choice, the side that changed a property wins, and everything that only one side added is kept.
 */
export function merge(
  start: FlowDocument,
  mine: FlowDocument,
  theirs: FlowDocument,
  choices: Choices = new Map(),
): FlowDocument {
  const list = nodeDifferences(start, mine, theirs)
  const nodes = mergeNodes(start, mine, theirs, list, choices)
  const keptIds = new Set(nodes.map((node) => node.id))
  const edges = mergeEdges(start, mine, theirs, choices, list).filter(
    (edge) => keptIds.has(parseEnd(edge.from).node) && keptIds.has(parseEnd(edge.to).node),
  )
  const annotations = mergeAnnotations({ start, mine, theirs }, keptIds, choices)
  const { variables: _, ...rest } = theirs
  const merged = { ...rest, ...changedMetadata(start, mine), nodes, edges, ...annotations }
  return withVariables(merged, mergeVariables({ start, mine, theirs }, choices))
}

/** Gives my new nodes new ids where the other side has added a different node with the same id. */
export function renameClashingIds(
  start: FlowDocument,
  mine: FlowDocument,
  theirs: FlowDocument,
): FlowDocument {
  const [base, other] = [byId(start.nodes), byId(theirs.nodes)]
  const taken = new Set([...base.keys(), ...other.keys(), ...mine.nodes.map(({ id }) => id)])
  const names = new Map<string, string>()
  for (const node of mine.nodes) {
    const sameId = other.get(node.id)
    if (base.has(node.id) || !sameId || isEqual(node, sameId)) continue
    const id = freshId(node.id, taken)
    taken.add(id)
    names.set(node.id, id)
  }
  return renameClashingAnnotations(start, names.size === 0 ? mine : renamed(mine, names), theirs)
}

function renamed(document: FlowDocument, names: ReadonlyMap<string, string>): FlowDocument {
  const name = (id: string) => names.get(id) ?? id
  const end = (text: string) => `${name(parseEnd(text).node)}.${parseEnd(text).port}`
  const groups = groupsOf(document).map((group) => ({ ...group, members: group.members.map(name) }))
  return {
    ...document,
    nodes: document.nodes.map((node) => ({ ...node, id: name(node.id) })),
    edges: document.edges.map((edge) => ({ ...edge, from: end(edge.from), to: end(edge.to) })),
    ...(document.canvas && { canvas: { ...document.canvas, ...(groups.length > 0 && { groups }) } }),
  }
}

function mergeNodes(
  start: FlowDocument,
  mine: FlowDocument,
  theirs: FlowDocument,
  list: readonly Difference[],
  choices: Choices,
): FlowNode[] {
  const [base, left, right] = [byId(start.nodes), byId(mine.nodes), byId(theirs.nodes)]
  const found = new Map(list.map((difference) => [difference.id, difference]))
  return [...new Set([...right.keys(), ...left.keys()])].flatMap((id) => {
    const [one, other] = [left.get(id), right.get(id)]
    if (one && other) return mergeNode(base.get(id), one, other, choices)
    const side = choices.get(id) ?? found.get(id)?.suggested ?? 'mine'
    return (side === 'mine' ? one : other) ?? []
  })
}

/** Merges settings one by one, and the other properties of the node (position, title) key by key. */
function mergeNode(
  start: FlowNode | undefined,
  mine: FlowNode,
  theirs: FlowNode,
  choices: Choices,
): FlowNode {
  if (isEqual(mine, theirs)) return theirs
  const choose = (name: string) => choices.get(partKey(mine.id, name)) ?? choices.get(mine.id)
  const node = mergeRecords(start, mine, theirs, (key) => choose(key === 'version' ? 'type' : key))
  const settings = mergeRecords(start?.settings, mine.settings, theirs.settings, (key) =>
    choose(`settings.${key}`),
  )
  const uses = mergeRecords(start?.variables, mine.variables ?? {}, theirs.variables ?? {}, (key) =>
    choose(`settings.${key}`),
  )
  return withUses({ ...node, settings } as FlowNode, uses as Record<string, string>)
}

/** Merges the edges of each input. A node that only one side has keeps the edges of that side. */
function mergeEdges(
  start: FlowDocument,
  mine: FlowDocument,
  theirs: FlowDocument,
  choices: Choices,
  list: readonly Difference[],
): FlowEdge[] {
  const [left, right] = [byTarget(mine), byTarget(theirs)]
  const [ours, others] = [byId(mine.nodes), byId(theirs.nodes)]
  const parts = new Map(list.flatMap(({ parts: all }) => all).map((part) => [part.key, part]))
  return [...new Set([...right.keys(), ...left.keys()])].flatMap((target) => {
    const { node } = parseEnd(target)
    const [one, other] = [left.get(target) ?? [], right.get(target) ?? []]
    if (!ours.has(node)) return other
    if (!others.has(node)) return one
    const part = parts.get(partKey(node, `>${target}`))
    const picked = part && sideOf(part, node, choices) === 'mine' ? one : other
    const alone = [...one, ...other].filter(({ from }) => {
      const source = parseEnd(from).node
      return ours.has(source) !== others.has(source) && start.edges.some((edge) => edge.from === from)
    })
    return picked.length === 0 && !choices.has(part?.key ?? '') ? distinct(alone) : picked
  })
}

function sideOf(part: PartDifference, node: string, choices: Choices): Side {
  return choices.get(part.key) ?? choices.get(node) ?? part.suggested
}

function distinct(edges: readonly FlowEdge[]): FlowEdge[] {
  return [...new Map(edges.map((edge) => [edgeId(edge), edge])).values()]
}

function byTarget(document: FlowDocument): Map<string, FlowEdge[]> {
  const groups = new Map<string, FlowEdge[]>()
  for (const edge of document.edges) groups.set(edge.to, [...(groups.get(edge.to) ?? []), edge])
  return groups
}

/** My changes to the other properties of the document: the name, and keys of newer editors. */
function changedMetadata(start: FlowDocument, mine: FlowDocument): Partial<FlowDocument> {
  const { nodes: _nodes, edges: _edges, canvas: _canvas, variables: _variables, format: _, ...top } = mine
  const before = start as unknown as Record<string, unknown>
  return Object.fromEntries(Object.entries(top).filter(([key, value]) => !isEqual(before[key], value)))
}
