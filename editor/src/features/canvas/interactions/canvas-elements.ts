import type { Edge, Node } from '@xyflow/react'
import { CARD_WIDTH, roomOf } from '@/graph/card-room'
import { cardInputs, ratioIn, sizeOfShape } from '@/graph/card-size'
import type { Catalog, NodeType } from '@/graph/catalog'
import {
  edgeId,
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  type Group,
  groupsOf,
  type Note,
  notesOf,
  type Point,
  parseEnd,
  type Size,
} from '@/graph/document'
import { bounds } from '@/graph/edits/arrange'
import { indexOf, mapDepthOf } from '@/graph/graph-index'
import { drivenSettings, inputPorts, lostOutputs, outputPorts, type Port, portAt } from '@/graph/ports'
import type { Extent } from '@/graph/routing/edge-path'
import { handlesOf } from './card-geometry'
import { extentAround } from './visible-part'

export type CardNode = Node<
  {
    node: FlowNode
    type: NodeType | undefined
    inputs: readonly Port[]
    outputs: readonly Port[]
    mapDepth: number
    /** The width of the card and the height of its content, and the ratio that they follow from. */
    room: Size
    ratio: number | null
    /** Whether variables may fill placeholders of it. */
    hasFilled?: boolean
  },
  'card'
>
export type NoteNode = Node<{ note: Note }, 'note'>
export type GroupNode = Node<{ group: Group }, 'group'>
export type CanvasNode = CardNode | NoteNode | GroupNode

/** Describes the keyboard commands of every card to screen readers. */
export const CARD_HINT_ID = 'card-hint'

/** The card names itself: its label changes without a new element for React Flow. */
export function labelId(id: string): string {
  return `card-${id}`
}

function access(id: string) {
  return { 'aria-labelledby': labelId(id), 'aria-describedby': CARD_HINT_ID }
}

const GROUP_MARGIN = { side: 20, top: 46, bottom: 20 }

/**
 * The React Flow nodes of a document. Unchanged nodes keep their object, so that one edit among a thousand cards
 * re-renders one card, and keep the size that React Flow measured.
 */
export function reconcileNodes(
  current: readonly CanvasNode[],
  document: FlowDocument,
  catalog: Catalog,
  selected: ReadonlySet<string>,
): CanvasNode[] {
  const before = new Map(current.map((node) => [node.id, node]))
  const cards = document.nodes.map((node) => cardNode(before.get(node.id), node, document, catalog, selected))
  const notes = notesOf(document).map((note) => noteNode(before.get(note.id), note, selected))
  return sameList(current, withGroups(document, [...cards, ...notes], before, selected))
}

/** The list as it was if it has the same elements: React Flow reads every node and edge of a new list. */
function sameList<T>(before: readonly T[], now: T[]): T[] {
  const isSame = before.length === now.length && now.every((one, at) => one === before[at])
  return isSame ? (before as T[]) : now
}

/** The bounds of groups around their members, at the current position of a drag. */
export function withGroups(
  document: FlowDocument,
  others: readonly CanvasNode[],
  before: ReadonlyMap<string, CanvasNode>,
  selected: ReadonlySet<string>,
): CanvasNode[] {
  const groups = groupsOf(document)
  if (groups.length === 0) return [...others]
  const byId = new Map(others.map((node) => [node.id, node]))
  const frames = groups.map((group) => groupNode(before.get(group.id), group, byId, selected))
  return [...frames, ...others]
}

function cardNode(
  old: CanvasNode | undefined,
  node: FlowNode,
  document: FlowDocument,
  catalog: Catalog,
  selected: ReadonlySet<string>,
): CardNode {
  const index = indexOf(document, catalog)
  const mapDepth = index.mapDepths.get(node.id) ?? 0
  const type = catalog.typeOf(node)
  const incoming = index.incoming.get(node.id) ?? []
  const driven = drivenSettings(node, type, incoming)
  const filled = filledInputs(node, type, document, incoming)
  const isSelected = selected.has(node.id)
  const ratio = ratioIn(node, document, catalog)
  const same =
    old?.type === 'card' &&
    type !== undefined &&
    isOf(old.data, { node, type, mapDepth, ratio }) &&
    hasSameInputs(old, filled, driven)
  if (same && samePlace(old, node.position) && (old.selected ?? false) === isSelected) return old
  const inputs = same ? old.data.inputs : (filled ?? [...inputPorts(node, type), ...driven])
  const outputs = same ? old.data.outputs : shownOutputs(node, type, index.outgoing.get(node.id) ?? [])
  const room = same ? old.data.room : roomOf(node, type, mapDepth, ratio)
  return {
    ...(old?.type === 'card' ? old : { id: node.id, type: 'card' as const, domAttributes: access(node.id) }),
    // Known before the card is drawn, so that React Flow changes no node when a card comes into view.
    measured: sizeOfShape({ type, inputs, outputs, mapDepth, room }),
    handles: handlesOf(inputs, outputs, room.width),
    position: old && samePlace(old, node.position) ? old.position : node.position,
    selected: isSelected,
    data: same
      ? old.data
      : { node, type, inputs, outputs, mapDepth, room, ratio, hasFilled: filled !== null },
  }
}

/** Whether the card shows this revision of its node. */
function isOf(
  old: CardNode['data'],
  now: Pick<CardNode['data'], 'node' | 'type' | 'mapDepth' | 'ratio'>,
): boolean {
  return (
    old.node === now.node && old.type === now.type && old.mapDepth === now.mapDepth && old.ratio === now.ratio
  )
}

/** The inputs of a card some of which variables may fill; null where none can. */
function filledInputs(
  node: FlowNode,
  type: NodeType | undefined,
  document: FlowDocument,
  incoming: readonly FlowEdge[],
): readonly Port[] | null {
  if (!document.variables?.length || !type?.variables.length) return null
  return cardInputs(node, type, document, incoming)
}

function hasSameInputs({ data }: CardNode, filled: readonly Port[] | null, driven: readonly Port[]): boolean {
  if ((data.hasFilled ?? false) !== (filled !== null)) return false
  if (filled) return sameNames(data.inputs, filled)
  return sameNames(
    data.inputs.filter((port) => port.kind === 'setting'),
    driven,
  )
}

function shownOutputs(
  node: FlowNode,
  type: NodeType | undefined,
  outgoing: readonly FlowEdge[],
): readonly Port[] {
  const connected = lostOutputs(node, outgoing)
  return type ? withConnected(outputPorts(node, type), connected, type) : connected
}

/** The outputs of a node, with those that only an edge still has because their item is missing, or their agent gives them no more. */
function withConnected(ports: readonly Port[], connected: readonly Port[], type: NodeType): readonly Port[] {
  if (!type.agentInputs && !type.outputs.some((port) => port.item_of)) return ports
  return [...ports, ...connected.filter(({ name }) => ports.every((port) => port.name !== name))]
}

function sameNames(one: readonly Port[], other: readonly Port[]): boolean {
  return one.length === other.length && one.every((port, at) => port.name === other[at]?.name)
}

function noteNode(old: CanvasNode | undefined, note: Note, selected: ReadonlySet<string>): NoteNode {
  const isSelected = selected.has(note.id)
  if (old?.type === 'note' && old.data.note === note && (old.selected ?? false) === isSelected) return old
  return {
    ...(old?.type === 'note' ? old : { id: note.id, type: 'note' as const, domAttributes: access(note.id) }),
    position: note.position,
    width: note.size.width,
    height: note.size.height,
    selected: isSelected,
    data: { note },
  }
}

function groupNode(
  old: CanvasNode | undefined,
  group: Group,
  byId: ReadonlyMap<string, CanvasNode>,
  selected: ReadonlySet<string>,
): GroupNode {
  const boxes = group.members.flatMap((member) => {
    const node = byId.get(member)
    return node ? [{ ...node.position, ...sizeOf(node) }] : []
  })
  const around = bounds(boxes)
  const position = { x: around.x - GROUP_MARGIN.side, y: around.y - GROUP_MARGIN.top }
  const width = around.width + 2 * GROUP_MARGIN.side
  const height = around.height + GROUP_MARGIN.top + GROUP_MARGIN.bottom
  const isSelected = selected.has(group.id)
  const isUnchanged =
    old?.type === 'group' && old.data.group === group && (old.selected ?? false) === isSelected
  if (isUnchanged && samePlace(old, position) && old.width === width && old.height === height) return old
  return {
    ...(old?.type === 'group'
      ? old
      : { id: group.id, type: 'group' as const, domAttributes: access(group.id) }),
    zIndex: -1,
    position,
    width,
    height,
    selected: isSelected,
    data: { group },
  }
}

export function sizeOf(node: CanvasNode): Size {
  return {
    width: node.measured?.width ?? node.width ?? node.initialWidth ?? CARD_WIDTH,
    height: node.measured?.height ?? node.height ?? node.initialHeight ?? 132,
  }
}

/** The box around all nodes. */
export function extentOfNodes(nodes: readonly CanvasNode[]): Extent {
  return extentAround(
    nodes.map((node) => {
      const { x, y } = node.position
      const { width, height } = sizeOf(node)
      return { left: x, top: y, right: x + width, bottom: y + height }
    }),
  )
}

function samePlace(node: CanvasNode, position: { x: number; y: number }): boolean {
  return node.position.x === position.x && node.position.y === position.y
}

/** The points that an edge passes between its ends, and where its ends are. */
export interface Lane {
  readonly from: Point
  readonly to: Point
  readonly points: readonly Point[]
}

export type CanvasEdge = Edge<
  { edge: FlowEdge; type: string; list: boolean; mapDepth: number; lane?: Lane },
  'flow'
>

/** Hidden from screen readers: the ports describe their connections. */
const ARIA_HIDDEN = { 'aria-hidden': true } as const

/** The React Flow edges; unchanged ones keep their object. */
export function reconcileEdges(
  current: readonly CanvasEdge[],
  document: FlowDocument,
  catalog: Catalog,
  selected: ReadonlySet<string>,
): CanvasEdge[] {
  const { nodes, mapDepths } = indexOf(document, catalog)
  const source = { edges: document.edges, mapDepths, selected }
  const known = sources.get(current)
  if (known && isSameSource(known, source)) return current as CanvasEdge[]
  const before = new Map(current.map((edge) => [edge.id, edge]))
  const edges = document.edges.map((edge) => {
    const id = edgeId(edge)
    const old = before.get(id)
    const [from, to] = [parseEnd(edge.from), parseEnd(edge.to)]
    const port = portAt(nodes.get(from.node), catalog, from, 'source')
    const data = {
      edge,
      type: port?.type ?? 'Any',
      list: (port?.list ?? false) || (mapDepths.get(from.node) ?? 0) > 0,
      mapDepth: mapDepthOf(edge, nodes, mapDepths, catalog),
    }
    const isSelected = selected.has(id)
    if (old && sameData(old, data) && (old.selected ?? false) === isSelected) return old
    return {
      id,
      type: 'flow' as const,
      source: from.node,
      sourceHandle: from.port,
      target: to.node,
      targetHandle: to.port,
      selected: isSelected,
      domAttributes: ARIA_HIDDEN,
      data,
    }
  })
  const made = sameList(current, edges)
  sources.set(made, source)
  return made
}

/** All that edges are made from: the map depths are another object when a port changes. */
interface EdgeSource {
  readonly edges: FlowDocument['edges']
  readonly mapDepths: ReadonlyMap<string, number>
  readonly selected: ReadonlySet<string>
}

const sources = new WeakMap<readonly CanvasEdge[], EdgeSource>()

function isSameSource(one: EdgeSource, other: EdgeSource): boolean {
  if (one.edges !== other.edges || one.mapDepths !== other.mapDepths) return false
  return one.selected.size === other.selected.size && [...one.selected].every((id) => other.selected.has(id))
}

function sameData(old: CanvasEdge, data: NonNullable<CanvasEdge['data']>): boolean {
  const before = old.data
  return (
    before !== undefined &&
    before.edge === data.edge &&
    before.type === data.type &&
    before.list === data.list &&
    before.mapDepth === data.mapDepth
  )
}
