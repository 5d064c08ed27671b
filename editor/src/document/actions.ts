import { CARD_SIZE, cardSize } from '@/graph/card-size'
import type { NodeType } from '@/graph/catalog'
import { fragmentFromText, fragmentToText } from '@/graph/clipboard'
import {
  edgeId,
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  findNode,
  groupsOf,
  type Note,
  notesOf,
  type Pin,
  type Point,
  parseEnd,
  type Settings,
  type Size,
} from '@/graph/document'
import {
  addNote,
  changeNote,
  groupNodes,
  NOTE_SIZE,
  removeNotes,
  resizeNotes,
  ungroup,
} from '@/graph/edits/annotations'
import { type Box, bounds } from '@/graph/edits/arrange'
import { connect, disconnect } from '@/graph/edits/edges'
import { freePlace, GAP } from '@/graph/edits/free-place'
import { addNode, moveNodes, removeNodes, setMode, setPin, setSetting } from '@/graph/edits/nodes'
import { duplicate, extractWithVariables, type Fragment, pasteWithVariables } from '@/graph/edits/paste'
import { type Swapped, swapType } from '@/graph/edits/swap'
import { bestPair } from '@/graph/pairing'
import { canBypass, canPin, pinOf } from '@/graph/pins'
import { neighbourOf, readingOrder } from '@/graph/reading-order'
import { randomId } from '@/lib/ids'
import { stepOfNode } from '@/lib/run/subflow-steps'
import type { Session } from './session'

/** Edits of nodes and notes that the user makes by mouse, keyboard, menu or command palette. */

type Type = Pick<NodeType, 'id' | 'version'>

/** Adds a node at the free place nearest to the given point, or to the middle of the visible area. */
export function insertNode(session: Session, type: Type, at?: Point, gesture?: string): string {
  let id = ''
  session.edit((document) => {
    const added = addAtFreePlace(session, document, type, at ?? viewportCenter(session))
    id = added.id
    return added.document
  }, gesture)
  if (id) selectAndFocus(session, [id])
  return id
}

/**
 * Adds a node beside the selected one and connects the two, as one undo step: behind it if it takes one of its outputs,
 * before it if it gives one of its free inputs. Without a selected node, or if nothing fits, only adds it.
 */
export function insertBesideSelected(session: Session, type: Type): void {
  const chosen = selectedNode(session)
  if (!chosen) {
    insertNode(session, type)
    return
  }
  const gesture = `add:${randomId()}`
  const beside = besideOf(session, chosen.id)
  const id = insertNode(session, type, beside.after, gesture)
  session.edit((document) => {
    const added = findNode(document, id)
    const pair = added && bestPair(document, session.catalog, chosen, added)
    if (pair) return connect(document, session.catalog, pair.from, pair.to)
    const back = added && bestPair(document, session.catalog, added, chosen)
    if (!back) return document
    return connect(moveNodes(document, new Map([[id, beside.before]])), session.catalog, back.from, back.to)
  }, gesture)
  session.flow.settle()
}

/** The node that is selected alone; undefined if none or several are, or a note. */
export function selectedNode(session: Session): FlowNode | undefined {
  const { nodes } = session.view.getState()
  return nodes.length === 1 && nodes[0] ? findNode(session.document, nodes[0]) : undefined
}

/** Free places right and left of a card. */
function besideOf(session: Session, id: string): { after: Point; before: Point } {
  const { x, y } = findNode(session.document, id)?.position ?? { x: 0, y: 0 }
  const { width } = session.sizeOf(id)
  return {
    after: freePlaceFor(session, { x: x + width + 2 * GAP, y }),
    before: freePlaceFor(session, { x: x - CARD_SIZE.width - 2 * GAP, y }),
  }
}

/** Gives a node another type, as one undo step; returns how much of it did not fit. */
export function swapNodeType(session: Session, id: string, type: NodeType): Swapped {
  const swapped = swapType(session.document, session.catalog, id, type)
  session.edit(() => swapped.document)
  session.viewport?.focusNode(id)
  return swapped
}

/** Adds a node with these settings, as one undo step. */
export function insertConfiguredNode(session: Session, type: Type, settings: Settings, at?: Point): void {
  const gesture = `add:${randomId()}`
  const id = insertNode(session, type, at, gesture)
  session.edit(
    (document) =>
      Object.entries(settings).reduce((flow, [name, value]) => setSetting(flow, id, name, value), document),
    gesture,
  )
  session.flow.settle()
}

/** Disables or bypasses the selected nodes, as far as they can be; ends that if all of them are. */
export function toggleMode(session: Session, mode: 'disabled' | 'bypassed'): void {
  const nodes = nodesForMode(session, mode)
  const ids = new Set(nodes.map(({ id }) => id))
  const isOn = nodes.every((node) => node.mode === mode)
  session.edit((document) => setMode(document, ids, isOn ? undefined : mode))
}

/** The selected nodes to which a mode applies. */
export function nodesForMode(session: Session, mode: 'disabled' | 'bypassed'): readonly FlowNode[] {
  const chosen = new Set(session.view.getState().nodes)
  return session.document.nodes.filter(
    (node) => chosen.has(node.id) && (mode === 'disabled' || canBypass(node, session.catalog)),
  )
}

/** Pins the result that the selected node has in the run on the canvas, or unpins it. */
export function togglePin(session: Session): void {
  const node = selectedNode(session)
  if (!node) return
  const pin = node.pin ? undefined : pinForNode(session, node)
  if (pin !== null) session.edit((document) => setPin(document, node.id, pin))
}

/** The pin that would hold the node's result in the run on the canvas; null if it has none. */
export function pinForNode(session: Session, node: FlowNode): Pin | null {
  if (!canPin(node, session.catalog)) return null
  const step = stepOfNode(session.runner.live.getState(), node.id)
  if (step?.status !== 'finished') return null
  return pinOf(node, session.document, session.catalog, step.outputs)
}

/** Removes the selected nodes, edges and notes; a selected group is removed without its nodes. */
export function removeSelected(session: Session): void {
  const { nodes, edges } = session.view.getState()
  const ids = new Set(nodes)
  const gone = new Set(edges)
  const next = neighbourOf(readingOrder(session.document), ids)
  session.edit((document) => {
    const unwired = document.edges
      .filter((edge) => gone.has(edgeId(edge)))
      .reduce((rest, edge) => disconnect(rest, edge), document)
    return ungroup(removeNotes(removeNodes(unwired, ids), ids), ids)
  })
  session.view.select([])
  if (next && ids.size > 0) session.viewport?.focusNode(next)
}

export function duplicateSelected(session: Session): void {
  let ids: readonly string[] = []
  session.edit((document) => {
    const copied = duplicate(document, new Set(session.view.getState().nodes))
    ids = copied.ids
    return copied.document
  })
  if (ids.length > 0) selectAndFocus(session, ids)
}

/** The selected nodes as text; null when none is selected. */
export function copySelected(session: Session): string | null {
  const chosen = new Set(session.view.getState().nodes)
  const fragment = extractWithVariables(session.document, session.catalog, chosen)
  return fragment.nodes.length > 0 ? fragmentToText(fragment) : null
}

/** Inserts copied nodes. Returns false when the text contains none. */
export function pasteText(session: Session, text: string, at?: Point): boolean {
  const fragment = fragmentFromText(text)
  if (fragment) insertFragment(session, fragment, at)
  return fragment !== null
}

/** Inserts nodes with the edges among them at the given point, or at a free place, as one undo step. */
export function insertFragment(session: Session, fragment: Fragment, at?: Point): void {
  let ids: readonly string[] = []
  session.edit((document) => {
    const size = bounds(fragment.nodes.map(({ position }) => ({ ...position, ...CARD_SIZE })))
    const place = at ?? freePlaceFor(session, viewportCenter(session), size)
    const pasted = pasteWithVariables(document, session.catalog, fragment, place)
    ids = pasted.ids
    return pasted.document
  })
  selectAndFocus(session, ids)
}

export function selectAll(session: Session): void {
  session.view.select(session.document.nodes.map((node) => node.id))
}

export function groupSelected(session: Session): void {
  const members = selectedBoxes(session).map((box) => box.id)
  if (members.length === 0) return
  session.edit((document) => groupNodes(document, members).document)
}

export function ungroupSelected(session: Session): void {
  const chosen = new Set(session.view.getState().nodes)
  session.edit((document) => {
    const groups = groupsOf(document).filter(
      (group) => chosen.has(group.id) || group.members.some((member) => chosen.has(member)),
    )
    return ungroup(document, new Set(groups.map((group) => group.id)))
  })
}

export function insertNote(session: Session, at?: Point): void {
  let id = ''
  session.edit((document) => {
    const added = addNote(document, at ?? freePlaceFor(session, viewportCenter(session), NOTE_SIZE))
    id = added.id
    return added.document
  })
  if (!id) return
  session.view.select([id])
  session.view.setState({ typing: id })
}

/** Moves the selection with the arrow keys; consecutive presses are one undo step. */
export function nudge(session: Session, by: Point): void {
  const { nodes } = session.view.getState()
  const moved = ({ x, y }: Point) => ({ x: x + by.x, y: y + by.y })
  const places = new Map(selectedBoxes(session).map((box) => [box.id, moved(box)]))
  session.edit((document) => {
    const notes = notesOf(document).filter(({ id }) => nodes.includes(id))
    const slid = (flow: FlowDocument, { id, position }: Note) =>
      changeNote(flow, id, { position: moved(position) })
    return notes.reduce(slid, moveNodes(document, places))
  }, `nudge:${nodes.join()}`)
}

/** Resizes the selected notes; consecutive presses are one undo step. */
export function resizeSelectedNotes(session: Session, by: Size): void {
  const { nodes } = session.view.getState()
  session.edit((document) => resizeNotes(document, new Set(nodes), by), `grow:${nodes.join()}`)
}

/** The selected edges, and those that start or end at a selected node. */
export function selectedEdges(session: Session): readonly FlowEdge[] {
  const { nodes, edges } = session.view.getState()
  const touches = (end: string) => nodes.includes(parseEnd(end).node)
  const all = session.document.edges
  const chosen = all.filter((edge) => edges.includes(edgeId(edge)))
  return chosen.length > 0 ? chosen : all.filter(({ from, to }) => touches(from) || touches(to))
}

export function selectedNotes(session: Session): readonly Note[] {
  const { nodes } = session.view.getState()
  return notesOf(session.document).filter(({ id }) => nodes.includes(id))
}

export function selectedBoxes(session: Session): Box[] {
  const chosen = new Set(session.view.getState().nodes)
  const framed = groupsOf(session.document)
    .filter((group) => chosen.has(group.id))
    .flatMap((group) => group.members)
  for (const member of framed) chosen.add(member)
  return session.document.nodes
    .filter((node) => chosen.has(node.id))
    .map((node) => ({ id: node.id, ...node.position, ...session.sizeOf(node.id) }))
}

/** Selects the new nodes and moves the keyboard focus to them. */
export function selectAndFocus(session: Session, ids: readonly string[]): void {
  session.view.select(ids)
  if (ids[0]) session.viewport?.focusNode(ids[0])
}

/** The free place nearest to the desired one; the place of the node `leaving` is free. */
export function freePlaceFor(
  session: Session,
  wanted: Point,
  size: Size = CARD_SIZE,
  leaving?: string,
): Point {
  const staying = session.document.nodes.filter(({ id }) => id !== leaving)
  const cards = staying.map(({ id, position }) => ({ ...position, ...session.sizeOf(id) }))
  const notes = notesOf(session.document).map(({ position, size }) => ({ ...position, ...size }))
  return freePlace(wanted, size, [...cards, ...notes])
}

/** Adds a node where its card covers no other. */
export function addAtFreePlace(
  session: Session,
  before: FlowDocument,
  type: Type,
  wanted: Point,
  settings: Settings = {},
): { document: FlowDocument; id: string } {
  const { document, id } = addNode(before, type, wanted, settings)
  const node = findNode(document, id)
  const place = freePlaceFor(session, wanted, node && cardSize(node, document, session.catalog))
  return { document: moveNodes(document, new Map([[id, place]])), id }
}

function viewportCenter(session: Session): Point {
  return session.viewport?.center() ?? { x: 0, y: 0 }
}
