import type { Catalog } from '../catalog'
import {
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  type FlowVariable,
  formatEnd,
  freshId,
  groupsOf,
  type Point,
  parseEnd,
  withFormat,
} from '../document'
import { variablesUsedBy } from '../variables'
import { groupNodes } from './annotations'
import { copyVariables } from './variables'

/** Part of a document that is copied between places, tabs or agents. */
export interface Fragment {
  readonly nodes: readonly FlowNode[]
  readonly edges: readonly FlowEdge[]
  readonly groups?: readonly { readonly title: string; readonly members: readonly string[] }[]
  /** The variables that its nodes use. */
  readonly variables?: readonly FlowVariable[]
}

export interface Pasted {
  readonly document: FlowDocument
  readonly ids: readonly string[]
}

/** The selected nodes with the edges among them, and the groups entirely inside. */
export function extractFragment(document: FlowDocument, ids: ReadonlySet<string>): Fragment {
  const inside = (end: string) => ids.has(parseEnd(end).node)
  return {
    nodes: document.nodes.filter((node) => ids.has(node.id)),
    edges: document.edges.filter((edge) => inside(edge.from) && inside(edge.to)),
    groups: groupsOf(document)
      .filter((group) => group.members.every((member) => ids.has(member)))
      .map(({ title, members }) => ({ title, members })),
  }
}

/** The same with the variables that its nodes use, for another agent. */
export function extractWithVariables(
  document: FlowDocument,
  catalog: Catalog,
  ids: ReadonlySet<string>,
): Fragment {
  const variables = variablesUsedBy(document, catalog, ids)
  return { ...extractFragment(document, ids), ...(variables.length > 0 && { variables }) }
}

/** Inserts a fragment and its variables, which are renamed where the document has others of the same name. */
export function pasteWithVariables(
  document: FlowDocument,
  catalog: Catalog,
  fragment: Fragment,
  at: Point,
): Pasted {
  const ends = new Set(fragment.edges.map(({ to }) => to))
  const brought = copyVariables(document, catalog, fragment.nodes, fragment.variables ?? [], ends)
  const pasted = paste(brought.document, { ...fragment, nodes: brought.nodes }, at)
  return { ...pasted, document: withFormat(pasted.document) }
}

/** Inserts a fragment with new ids, its top left corner at a point. */
export function paste(document: FlowDocument, fragment: Fragment, at: Point): Pasted {
  const renamed = newIds(document, fragment)
  const corner = {
    x: Math.min(...fragment.nodes.map((node) => node.position.x)),
    y: Math.min(...fragment.nodes.map((node) => node.position.y)),
  }
  const nodes = fragment.nodes.map((node) => ({
    ...node,
    id: renamed.get(node.id) as string,
    position: {
      x: Math.round(at.x + node.position.x - corner.x),
      y: Math.round(at.y + node.position.y - corner.y),
    },
  }))
  const edges = fragment.edges.flatMap((edge) => rewire(edge, renamed))
  const joined = {
    ...document,
    nodes: [...document.nodes, ...nodes],
    edges: [...document.edges, ...edges],
  }
  return { document: regroup(joined, fragment, renamed), ids: nodes.map((node) => node.id) }
}

/** Copies the selected nodes a little lower and to the right, with the same inputs as the originals. */
export function duplicate(document: FlowDocument, ids: ReadonlySet<string>): Pasted {
  const fragment = extractFragment(document, ids)
  if (fragment.nodes.length === 0) return { document, ids: [] }
  const feeding = document.edges.filter(
    (edge) => ids.has(parseEnd(edge.to).node) && !ids.has(parseEnd(edge.from).node),
  )
  const x = Math.min(...fragment.nodes.map((node) => node.position.x))
  const y = Math.min(...fragment.nodes.map((node) => node.position.y))
  const pasted = paste(document, fragment, { x: x + 32, y: y + 32 })
  const copies = new Map(fragment.nodes.map((node, at) => [node.id, pasted.ids[at] as string]))
  const fed = feeding.map((edge) => {
    const to = parseEnd(edge.to)
    return { ...edge, to: formatEnd({ node: copies.get(to.node) as string, port: to.port }) }
  })
  return {
    document: { ...pasted.document, edges: [...pasted.document.edges, ...fed] },
    ids: pasted.ids,
  }
}

function newIds(document: FlowDocument, fragment: Fragment): Map<string, string> {
  const taken = new Set(document.nodes.map((node) => node.id))
  const renamed = new Map<string, string>()
  for (const node of fragment.nodes) {
    const id = freshId(node.id, taken)
    taken.add(id)
    renamed.set(node.id, id)
  }
  return renamed
}

function rewire(edge: FlowEdge, renamed: ReadonlyMap<string, string>): FlowEdge[] {
  const [from, to] = [parseEnd(edge.from), parseEnd(edge.to)]
  const [source, target] = [renamed.get(from.node), renamed.get(to.node)]
  if (!source || !target) return []
  return [
    {
      ...edge,
      from: formatEnd({ node: source, port: from.port }),
      to: formatEnd({ node: target, port: to.port }),
    },
  ]
}

function regroup(
  document: FlowDocument,
  fragment: Fragment,
  renamed: ReadonlyMap<string, string>,
): FlowDocument {
  return (fragment.groups ?? []).reduce((joined, group) => {
    const members = group.members.flatMap((member) => renamed.get(member) ?? [])
    return members.length > 0 ? groupNodes(joined, members, group.title).document : joined
  }, document)
}
