import type { Catalog, NodeType } from '../catalog'
import { checkConnection } from '../connect'
import {
  type End,
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  findNode,
  formatEnd,
  parseEnd,
  type Settings,
} from '../document'
import { costOf } from '../pairing'
import { inputPorts, outputPorts, type Port, portAt, settingPorts } from '../ports'
import { hasTypeOf, valueError } from '../validate'
import { findVariable, fits } from '../variables'
import { connect } from './edges'
import { mapNodes, setPin } from './nodes'
import { withUses } from './variables'

/** A document after a swap, and how much of the node did not fit its new type. */
export interface Swapped {
  readonly document: FlowDocument
  readonly lostEdges: number
  readonly lostSettings: number
}

/**
 * Gives a node another type. Keeps its title, its place, the settings that the new type has too and accepts, and each
 * edge that fits: at the port of the same name, else at the nearest free port. A pinned result is unpinned.
 */
export function swapType(document: FlowDocument, catalog: Catalog, id: string, type: NodeType): Swapped {
  const node = findNode(document, id)
  if (!node || node.type === type.id) return { document, lostEdges: 0, lostSettings: 0 }
  const settings = fittingSettings(node, catalog.typeOf(node), type)
  const touches = (edge: FlowEdge) => parseEnd(edge.from).node === id || parseEnd(edge.to).node === id
  const mine = document.edges.filter(touches)
  const bare: FlowDocument = {
    ...mapNodes(setPin(document, id, undefined), (one) => {
      if (one.id !== id) return one
      const { exposed, ...rest } = withUses(one, fittingUses(document, one, catalog.typeOf(node), type))
      return { ...rest, type: type.id, version: type.version, settings, ...fittingExposed(exposed, type) }
    }),
    edges: document.edges.filter((edge) => !touches(edge)),
  }
  const swapped = mine.reduce((flow, edge) => joined(flow, document, catalog, edge, id), bare)
  return {
    document: swapped,
    lostEdges: bare.edges.length + mine.length - swapped.edges.length,
    lostSettings: Object.keys(node.settings).length - Object.keys(settings).length,
  }
}

function fittingSettings(node: FlowNode, old: NodeType | undefined, type: NodeType): Settings {
  const schemas = type.settings.properties ?? {}
  const kept = Object.entries(node.settings).flatMap(([name, value]): [string, unknown][] => {
    // The value of an input node stays its value, whatever the setting is called.
    const renamed = old?.input === name && type.input ? type.input : name
    const schema = schemas[renamed]
    const fits = schema && hasTypeOf(schema, value) && valueError(schema, value) === null
    return fits ? [[renamed, value]] : []
  })
  return Object.fromEntries(kept)
}

/** The variables that set settings, as far as the new type has these settings and their values fit. */
function fittingUses(
  document: FlowDocument,
  { variables = {} }: FlowNode,
  old: NodeType | undefined,
  type: NodeType,
): Record<string, string> {
  const kept = Object.entries(variables).flatMap(([setting, name]): [string, string][] => {
    const renamed = old?.input === setting && type.input ? type.input : setting
    const schema = type.settings.properties?.[renamed]
    const variable = findVariable(document, name)
    return schema && variable && fits(schema, variable) ? [[renamed, name]] : []
  })
  return Object.fromEntries(kept)
}

/** What launchers may set, as far as the new type has these settings. */
function fittingExposed(exposed: FlowNode['exposed'], type: NodeType): Pick<FlowNode, 'exposed'> {
  const kept = Object.entries(exposed ?? {}).filter(([name]) => type.settings.properties?.[name])
  return kept.length > 0 ? { exposed: Object.fromEntries(kept) } : {}
}

/** Adds an edge of the former node at the port that fits best; returns the same document if none does. */
function joined(
  flow: FlowDocument,
  before: FlowDocument,
  catalog: Catalog,
  edge: FlowEdge,
  id: string,
): FlowDocument {
  const [from, to] = [parseEnd(edge.from), parseEnd(edge.to)]
  const side = from.node === id ? 'source' : 'target'
  const [mine, other] = side === 'source' ? [from, to] : [to, from]
  const far = portAt(findNode(before, other.node), catalog, other, side === 'source' ? 'target' : 'source')
  const node = findNode(flow, id)
  if (!far || !node) return flow
  for (const port of ranked(node, catalog, side, mine, far)) {
    const end = { node: id, port: port.name }
    const [source, target] = side === 'source' ? [end, other] : [other, end]
    const isTaken = !port.list && flow.edges.some((one) => one.to === formatEnd(end))
    if (isTaken || !checkConnection(flow, catalog, source, target).allowed) continue
    return connect(flow, catalog, source, target)
  }
  return flow
}

/** The ports on one side of a node: the one of this name first, then the nearest; settings only by their name. */
function ranked(
  node: FlowNode,
  catalog: Catalog,
  side: 'source' | 'target',
  { port: name }: End,
  far: Port,
): Port[] {
  const type = catalog.typeOf(node)
  const ports = side === 'source' ? outputPorts(node, type) : inputPorts(node, type)
  const settings = side === 'target' ? settingPorts(node, type).filter((port) => port.name === name) : []
  const cost = (port: Port) => (side === 'source' ? costOf(port, far) : costOf(far, port))
  const sorted = [...ports, ...settings].sort((one, other) => cost(one) - cost(other))
  const same = sorted.filter((port) => port.name === name)
  return [...same, ...sorted.filter((port) => port.name !== name)]
}

/** The types that a node can be swapped for: first those that keep most of its edges, then of its settings. */
export function swapChoices(document: FlowDocument, catalog: Catalog, id: string): NodeType[] {
  const node = findNode(document, id)
  if (!node) return []
  const own = catalog.typeOf(node)
  const around = neighbourhood(document, id)
  const rated = catalog.types
    .filter((type) => type.id !== node.type && !type.deprecated)
    .map((type) => ({ type, lost: swapType(around, catalog, id, type) }))
  rated.sort((one, other) => {
    const edges = one.lost.lostEdges - other.lost.lostEdges
    const settings = one.lost.lostSettings - other.lost.lostSettings
    const category = (type: NodeType) => Number(type.category !== own?.category)
    return edges || category(one.type) - category(other.type) || settings
  })
  return rated.map(({ type }) => type)
}

/** The node, its edges and the nodes at their other ends: rating every type takes no longer in a large document. */
function neighbourhood(document: FlowDocument, id: string): FlowDocument {
  const edges = document.edges.filter(
    ({ from, to }) => parseEnd(from).node === id || parseEnd(to).node === id,
  )
  const near = new Set([id, ...edges.flatMap(({ from, to }) => [parseEnd(from).node, parseEnd(to).node])])
  return { ...document, edges, nodes: document.nodes.filter((node) => near.has(node.id)) }
}
