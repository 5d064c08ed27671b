import { AGENT_INPUTS, type Catalog } from '../catalog'
import {
  type ExposedSetting,
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  feedingNodes,
  findNode,
  formatEnd,
  groupsOf,
  notesOf,
  type Point,
  parseEnd,
  variablesOf,
  withFormat,
} from '../document'
import { outputPorts, portAt } from '../ports'
import { connectedEnds } from '../variables'
import { agentValues } from './agent-inputs'
import { addNote, changeNote } from './annotations'
import { withLiterals } from './literals'
import { mapNodes, removeNodes } from './nodes'
import { paste } from './paste'
import { copyVariables, withUses } from './variables'

/** A document after a node that runs an agent was replaced by the agent's nodes, and their ids. */
export interface Dissolved {
  readonly document: FlowDocument
  readonly ids: readonly string[]
}

/**
 * Replaces a node that runs an agent by the nodes of that agent, with the values and edges that the node gave them. An
 * input node that only passes on what it is given is left out. Nodes whose result the outer agent did not show, do not
 * show one afterwards. `placeFor` gives the place of the nodes that stay; without it, it is that of the replaced node.
 */
export function dissolveAgent(
  document: FlowDocument,
  catalog: Catalog,
  id: string,
  inner: FlowDocument,
  placeFor?: (nodes: readonly FlowNode[]) => Point,
): Dissolved {
  const node = findNode(document, id)
  if (!node) return { document, ids: [] }
  const incoming = document.edges.filter(({ to }) => parseEnd(to).node === id)
  const outgoing = document.edges.filter(({ from }) => parseEnd(from).node === id)
  const isShown = node.result ?? !feedingNodes(document).has(id)
  const given = withOffers(withValues(inner, catalog, node), node)
  const marked = isShown ? given : withoutResults(given)
  const ends = connectedEnds(marked)
  const own = variablesOf(marked)
  const sealed = withLiterals(marked, document, catalog, node)
  const brought = copyVariables(document, catalog, sealed.nodes, [...own, ...sealed.literals], ends)
  const shown = withOuterUses({ ...marked, nodes: brought.nodes }, catalog, node, inner)
  // The edges that reach an input node, by its id: it is left out if the source can take its place.
  const passed = new Map<string, string>()
  for (const edge of incoming) {
    const input = findNode(shown, parseEnd(edge.to).port)
    if (input && canPass(input, edge, document, catalog)) passed.set(input.id, edge.from)
  }
  const kept = removeNodes(shown, new Set(passed.keys()))
  const rest = removeNodes(brought.document, new Set([id]))
  const place = (kept.nodes.length > 0 && placeFor?.(kept.nodes)) || node.position
  const pasted = paste(rest, { ...kept, groups: groupsOf(kept) }, place)
  const renamed = new Map(kept.nodes.map((one, at) => [one.id, pasted.ids[at] as string]))
  const outer = document.edges.flatMap((edge): FlowEdge[] => {
    const [from, to] = [parseEnd(edge.from), parseEnd(edge.to)]
    if (to.node === id) return passed.has(to.port) ? [] : intoInner(edge, shown, catalog, renamed)
    if (from.node !== id) return [edge]
    return fromInner(edge, shown, catalog, renamed, passed)
  })
  const within = shown.edges.flatMap((edge): FlowEdge[] => {
    const [from, to] = [parseEnd(edge.from), parseEnd(edge.to)]
    const target = renamed.get(to.node)
    const source = renamed.get(from.node)
    const start = passed.get(from.node) ?? (source && formatEnd({ node: source, port: from.port }))
    return target && start ? [{ ...edge, from: start, to: formatEnd({ node: target, port: to.port }) }] : []
  })
  const results = isShown ? outgoing.map(({ from }) => resultOf(from, shown, catalog)?.node) : []
  const stillShown = new Set(results.map((name) => renamed.get(name ?? '')))
  const done = mapNodes({ ...pasted.document, edges: [...outer, ...within] }, (one) =>
    stillShown.has(one.id) && one.result === undefined ? { ...one, result: true } : one,
  )
  return { document: withFormat(withNotes(done, kept, place)), ids: pasted.ids }
}

/** The inner document with the values that the outer node has for inputs without an edge. */
function withValues(inner: FlowDocument, catalog: Catalog, outer: FlowNode): FlowDocument {
  const values = Object.entries(agentValues(outer))
  return mapNodes(inner, (node) => {
    const input = catalog.typeOf(node)?.input
    const own = values.flatMap(([name, value]): [string, unknown][] => {
      const end = parseEnd(name)
      if (name === node.id && input) return [[input, value]]
      return end.node === node.id && node.exposed?.[end.port] ? [[end.port, value]] : []
    })
    if (own.length === 0) return node
    const set = Object.fromEntries(own)
    const nested = catalog.type(node.type)?.subflow
    const settings = nested ? { [AGENT_INPUTS]: { ...agentValues(node), ...set } } : set
    const names = new Set(own.map(([name]) => keyOfUse(node, name, catalog)))
    const uses = Object.entries(node.variables ?? {}).filter(([setting]) => !names.has(setting))
    return withUses({ ...node, settings: { ...node.settings, ...settings } }, Object.fromEntries(uses))
  })
}

/** The key under which a node names the variable of a setting: an inner agent has its settings among its inputs. */
function keyOfUse(node: FlowNode, setting: string, catalog: Catalog): string {
  return catalog.type(node.type)?.subflow ? `${AGENT_INPUTS}.${setting}` : setting
}

/** The inner document whose nodes offer to launchers what the outer node did, in its words. */
function withOffers(inner: FlowDocument, outer: FlowNode): FlowDocument {
  return mapNodes(inner, ({ exposed, ...node }) => {
    const own = Object.entries(exposed ?? {}).flatMap(([name, limits]): [string, ExposedSetting][] => {
      const again = outer.exposed?.[formatEnd({ node: node.id, port: name })]
      const { order: _, ...kept } = limits
      return again ? [[name, { ...kept, ...again }]] : []
    })
    return own.length > 0 ? { ...node, exposed: Object.fromEntries(own) } : node
  })
}

/** The inner document whose settings have the variables that the outer node has for them. */
function withOuterUses(
  inner: FlowDocument,
  catalog: Catalog,
  outer: FlowNode,
  offered: FlowDocument,
): FlowDocument {
  const given = Object.entries(outer.variables ?? {}).flatMap(([key, name]) =>
    key.startsWith(`${AGENT_INPUTS}.`) ? [[key.slice(AGENT_INPUTS.length + 1), name] as const] : [],
  )
  if (given.length === 0) return inner
  return mapNodes(inner, (node) => {
    const input = catalog.typeOf(node)?.input
    const exposed = findNode(offered, node.id)?.exposed
    const own = given.flatMap(([key, name]): [string, string][] => {
      const end = parseEnd(key)
      if (key === node.id && input) return [[input, name]]
      return end.node === node.id && exposed?.[end.port] ? [[keyOfUse(node, end.port, catalog), name]] : []
    })
    return own.length > 0 ? withUses(node, { ...node.variables, ...Object.fromEntries(own) }) : node
  })
}

/** The inner document whose nodes show no result in the outer one. */
function withoutResults(inner: FlowDocument): FlowDocument {
  const feeding = feedingNodes(inner)
  return mapNodes(inner, ({ result, ...node }) => {
    if (!feeding.has(node.id)) return { ...node, result: false }
    return result === false ? { ...node, result } : node
  })
}

/** Adds the notes of the inner document beside its nodes, which now start at this point. */
function withNotes(document: FlowDocument, inner: FlowDocument, at: Point): FlowDocument {
  const [left, top] =
    inner.nodes.length > 0
      ? [
          Math.min(...inner.nodes.map(({ position }) => position.x)),
          Math.min(...inner.nodes.map(({ position }) => position.y)),
        ]
      : [0, 0]
  return notesOf(inner).reduce((flow, { id: _, position, ...note }) => {
    const added = addNote(flow, { x: at.x + position.x - left, y: at.y + position.y - top })
    return changeNote(added.document, added.id, note)
  }, document)
}

/** Whether an input node gives exactly what an edge brings, so that its targets can be connected to the source. */
function canPass(input: FlowNode, edge: FlowEdge, document: FlowDocument, catalog: Catalog): boolean {
  const type = catalog.typeOf(input)
  const end = parseEnd(edge.from)
  const source = findNode(document, end.node)
  const gives = portAt(source, catalog, end, 'source')?.type
  if (!type?.input || !source || input.mode || input.pin || gives !== type.outputs[0]?.type) return false
  const others = Object.entries(input.settings).filter(([name]) => name !== type.input)
  if (source.type === input.type) {
    return others.every(([name, value]) => JSON.stringify(source.settings[name]) === JSON.stringify(value))
  }
  const isOptional = !type.settings.properties?.may_be_empty || input.settings.may_be_empty === true
  // A brand system also tidies the brand that it is given.
  return isOptional && gives !== 'Brand' && others.every(([name]) => name === 'may_be_empty')
}

/** The node and output of the inner document behind an output of the outer node. */
function resultOf(from: string, inner: FlowDocument, catalog: Catalog) {
  const { port } = parseEnd(from)
  const node = findNode(inner, port)
  if (!node) return findNode(inner, parseEnd(port).node) && parseEnd(port)
  const only = outputPorts(node, catalog.typeOf(node))[0]
  return only && { node: node.id, port: only.name }
}

function intoInner(
  edge: FlowEdge,
  inner: FlowDocument,
  catalog: Catalog,
  renamed: ReadonlyMap<string, string>,
): FlowEdge[] {
  const { port } = parseEnd(edge.to)
  const input = findNode(inner, port)
  const end = input ? { node: port, port: catalog.typeOf(input)?.input ?? '' } : parseEnd(port)
  const node = renamed.get(end.node)
  return node && end.port ? [{ ...edge, to: formatEnd({ node, port: end.port }) }] : []
}

function fromInner(
  edge: FlowEdge,
  inner: FlowDocument,
  catalog: Catalog,
  renamed: ReadonlyMap<string, string>,
  passed: ReadonlyMap<string, string>,
): FlowEdge[] {
  const end = resultOf(edge.from, inner, catalog)
  const direct = end && passed.get(end.node)
  if (direct) return [{ ...edge, from: direct }]
  const node = end && renamed.get(end.node)
  return node ? [{ ...edge, from: formatEnd({ node, port: end.port }) }] : []
}
