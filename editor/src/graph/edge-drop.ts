import type { Catalog } from './catalog'
import { checkConnection } from './connect'
import { type End, type FlowDocument, type FlowEdge, type FlowNode, formatEnd } from './document'
import { inputPorts, outputPorts, type Port, portAt, settingPorts } from './ports'

/** One way in which an edge can end at a card. */
export interface EdgeDropOption {
  readonly from: End
  readonly to: End
  /** The port or setting of the card. */
  readonly port: Port
  /** The type that values are converted into, if any. */
  readonly becomes: string | null
  /** The edge that the new one replaces. */
  readonly replaces: FlowEdge | null
}

/** What a drop on a card does: makes one edge, asks which, or is refused. */
export type EdgeDrop =
  | { readonly kind: 'port'; readonly option: EdgeDropOption }
  | { readonly kind: 'ask'; readonly options: readonly EdgeDropOption[] }
  | { readonly kind: 'refused'; readonly from: End; readonly to: End }

/**
 * Where an edge dropped on a card ends: at its only free port of exactly the type, else at the only port or setting
 * that fits. Null if the card has no port on that side.
 */
export function edgeDropOn(
  document: FlowDocument,
  catalog: Catalog,
  node: FlowNode,
  end: End,
  side: 'source' | 'target',
): EdgeDrop | null {
  const type = catalog.typeOf(node)
  const start = document.nodes.find(({ id }) => id === end.node)
  const port = portAt(start, catalog, end, side)
  if (!port || node.id === end.node) return null
  const ports = side === 'source' ? inputPorts(node, type) : outputPorts(node, type)
  const options = ports.flatMap((other) => optionAt(document, catalog, node.id, end, side, other))
  const exact = options.filter((option) => option.port.type === port.type && !option.replaces)
  if (exact.length === 1 && exact[0]) return { kind: 'port', option: exact[0] }
  const driven = side === 'source' ? settingPorts(node, type).filter((other) => isDrivenBy(other, port)) : []
  const settings = driven.flatMap((other) => optionAt(document, catalog, node.id, end, side, other))
  const all = [...ranked(options, port.type), ...settings]
  const [only, ...others] = all
  if (only && others.length === 0) return { kind: 'port', option: only }
  // A number belongs in a setting rather than, as text, in a prompt.
  if (only)
    return { kind: 'ask', options: exact.length > 0 ? all : [...settings, ...ranked(options, port.type)] }
  const [first] = ports
  if (!first) return null
  return { kind: 'refused', ...ordered(end, { node: node.id, port: first.name }, side) }
}

/** Whether the values are of the setting's own type, so that a drop on the card may mean the setting. */
function isDrivenBy(setting: Port, source: Port): boolean {
  if (setting.type === 'Any') return false
  return setting.type === source.type || (setting.type === 'Number' && source.type === 'Integer')
}

function optionAt(
  document: FlowDocument,
  catalog: Catalog,
  node: string,
  end: End,
  side: 'source' | 'target',
  port: Port,
): EdgeDropOption[] {
  const { from, to } = ordered(end, { node, port: port.name }, side)
  const [start, finish] = [formatEnd(from), formatEnd(to)]
  if (document.edges.some((edge) => edge.from === start && edge.to === finish)) return []
  const verdict = checkConnection(document, catalog, from, to)
  if (!verdict.allowed) return []
  return [{ from, to, port, becomes: verdict.conversion?.to ?? null, replaces: verdict.replaces }]
}

/** Free ports before connected ones, and those of the same type before those that convert. */
function ranked(options: readonly EdgeDropOption[], type: string): EdgeDropOption[] {
  const cost = ({ port, replaces }: EdgeDropOption) =>
    Number(port.type !== type) + 2 * Number(replaces !== null)
  return [...options].sort((one, other) => cost(one) - cost(other))
}

function ordered(end: End, other: End, side: 'source' | 'target'): { from: End; to: End } {
  return side === 'source' ? { from: end, to: other } : { from: other, to: end }
}
