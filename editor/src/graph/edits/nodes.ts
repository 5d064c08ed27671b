import type { NodeType } from '../catalog'
import {
  type ExposedSetting,
  type FlowDocument,
  type FlowNode,
  freshId,
  type Pin,
  type Point,
  parseEnd,
  type Settings,
} from '../document'
import { removeFromGroups } from './annotations'

/** Adds a node with an id derived from its type. Returns the new document and the id. */
export function addNode(
  document: FlowDocument,
  type: Pick<NodeType, 'id' | 'version'>,
  position: Point,
  settings: FlowNode['settings'] = {},
): { document: FlowDocument; id: string } {
  const id = freshId(type.id, new Set(document.nodes.map((node) => node.id)))
  const node: FlowNode = { id, type: type.id, version: type.version, settings, position: rounded(position) }
  return { document: { ...document, nodes: [...document.nodes, node] }, id }
}

/** Removes nodes, their edges and their group memberships. */
export function removeNodes(document: FlowDocument, ids: ReadonlySet<string>): FlowDocument {
  if (!document.nodes.some((node) => ids.has(node.id))) return document
  const touches = (end: string) => ids.has(parseEnd(end).node)
  return removeFromGroups(
    {
      ...document,
      nodes: document.nodes.filter((node) => !ids.has(node.id)),
      edges: document.edges.filter((edge) => !touches(edge.from) && !touches(edge.to)),
    },
    ids,
  )
}

export function moveNodes(document: FlowDocument, positions: ReadonlyMap<string, Point>): FlowDocument {
  return mapNodes(document, (node) => {
    const point = positions.get(node.id)
    if (!point) return node
    const position = rounded(point)
    const still = position.x === node.position.x && position.y === node.position.y
    return still ? node : { ...node, position }
  })
}

/** Sets the title; an empty one restores the title of the type. */
export function renameNode(document: FlowDocument, id: string, title: string): FlowDocument {
  return mapNodes(document, (node) => {
    if (node.id !== id || (node.title ?? '') === title.trim()) return node
    const { title: _, ...rest } = node
    return title.trim() ? { ...rest, title: title.trim() } : rest
  })
}

/** Marks the node as a result; `undefined` applies the default, that nodes without outgoing edges are results. */
export function setResult(document: FlowDocument, id: string, result: boolean | undefined): FlowDocument {
  return mapNodes(document, (node) => {
    if (node.id !== id || node.result === result) return node
    const { result: _, ...rest } = node
    return result === undefined ? rest : { ...rest, result }
  })
}

/** Sets what a run does with nodes; `undefined` has it call them. */
export function setMode(
  document: FlowDocument,
  ids: ReadonlySet<string>,
  mode: FlowNode['mode'] | undefined,
): FlowDocument {
  return mapNodes(document, (node) => {
    if (!ids.has(node.id) || node.mode === mode) return node
    const { mode: _, ...rest } = node
    return mode ? { ...rest, mode } : rest
  })
}

/** Pins outputs of a node; `undefined` unpins them. */
export function setPin(document: FlowDocument, id: string, pin: Pin | undefined): FlowDocument {
  return mapNodes(document, (node) => {
    if (node.id !== id || node.pin === pin) return node
    const { pin: _, ...rest } = node
    return pin ? { ...rest, pin } : rest
  })
}

/** Offers a setting to launchers; `undefined` hides it from them. Empty texts and limits are left out. */
export function setExposed(
  document: FlowDocument,
  id: string,
  name: string,
  exposed: ExposedSetting | undefined,
): FlowDocument {
  return mapNodes(document, (node) => {
    if (node.id !== id) return node
    const { exposed: before = {}, ...rest } = node
    const { [name]: _, ...others } = before
    const next = exposed ? { ...others, [name]: filled(exposed) } : others
    return Object.keys(next).length > 0 ? { ...rest, exposed: next } : rest
  })
}

function filled(exposed: ExposedSetting): ExposedSetting {
  const isFilled = (value: unknown) =>
    value !== undefined && value !== '' && !(Array.isArray(value) && !value.length)
  return Object.fromEntries(Object.entries(exposed).filter(([, value]) => isFilled(value)))
}

export function changeType(
  document: FlowDocument,
  id: string,
  type: Pick<NodeType, 'id' | 'version'>,
): FlowDocument {
  return mapNodes(document, (node) =>
    node.id === id ? { ...node, type: type.id, version: type.version } : node,
  )
}

/** Maps over nodes; returns the same document when nothing changed. */
export function mapNodes(document: FlowDocument, change: (node: FlowNode) => FlowNode): FlowDocument {
  let changed = false
  const nodes = document.nodes.map((node) => {
    const next = change(node)
    if (next !== node) changed = true
    return next
  })
  return changed ? { ...document, nodes } : document
}

export function rounded(point: Point): Point {
  return { x: Math.round(point.x), y: Math.round(point.y) }
}

/** Replaces all settings of a node. */
export function setSettings(document: FlowDocument, id: string, settings: Settings): FlowDocument {
  return mapNodes(document, (node) => (node.id === id ? { ...node, settings } : node))
}

/** Sets one setting; `undefined` removes it, so that the default of the type applies. */
export function setSetting(document: FlowDocument, id: string, name: string, value: unknown): FlowDocument {
  return mapNodes(document, (node) => {
    if (node.id !== id || Object.is(node.settings[name], value)) return node
    if (value !== undefined) return { ...node, settings: { ...node.settings, [name]: value } }
    const { [name]: _, ...settings } = node.settings
    return { ...node, settings }
  })
}
