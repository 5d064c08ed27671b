import { expectedRatio, roomOf, WIDE_CARD_WIDTH } from './card-room'
import type { Catalog, NodeType } from './catalog'
import type { FlowDocument, FlowEdge, FlowNode, Size } from './document'
import { indexOf } from './graph-index'
import { drivenSettings, inputPorts, lostOutputs, outputPorts, type Port } from './ports'
import { withoutFilled } from './variables'

/** The size of a card whose node is not in the document yet. */
export const CARD_SIZE: Size = { width: WIDE_CARD_WIDTH, height: 240 }

/** Sizes of the parts of a card, in pixels of the canvas. Ports stand above the content, so they never move. */
export const HEADER_HEIGHT = 42
export const PORT_STEP = 24
export const FOOTER_HEIGHT = 32
/** The line that says that a node runs once per item. */
export const MAP_LINE_HEIGHT = 22
/** The space around the content: 2 above and 12 below. */
const CONTENT_MARGIN = 14

export interface CardShape {
  readonly type: NodeType | undefined
  readonly inputs: readonly Port[]
  readonly outputs: readonly Port[]
  readonly mapDepth: number
  /** The width of the card and the height of its content. */
  readonly room: Size
}

/** The vertical center of a card's nth port, from the top of the card. */
export function portY(at: number): number {
  return HEADER_HEIGHT + at * PORT_STEP + 10
}

/** Input nodes have no cost, model or duration to show. */
export function hasFooter(type: NodeType | undefined): boolean {
  return type !== undefined && type.input === null
}

/** The height of a card, before, during and after a run. */
export function cardHeight({ type, inputs, outputs, mapDepth, room }: CardShape): number {
  const rows = Math.max(inputs.length, outputs.length)
  return (
    HEADER_HEIGHT +
    rows * PORT_STEP +
    room.height +
    CONTENT_MARGIN +
    (mapDepth > 0 ? MAP_LINE_HEIGHT : 0) +
    (hasFooter(type) ? FOOTER_HEIGHT : 0)
  )
}

/** What a card shows: its ports (inputs, then the settings that edges drive) and the room of its content. */
export function shapeOf(node: FlowNode, document: FlowDocument, catalog: Catalog): CardShape {
  const { incoming, outgoing, mapDepths } = indexOf(document, catalog)
  const type = catalog.typeOf(node)
  const mapDepth = mapDepths.get(node.id) ?? 0
  return {
    type,
    inputs: cardInputs(node, type, document, incoming.get(node.id) ?? []),
    outputs: type ? outputPorts(node, type) : lostOutputs(node, outgoing.get(node.id) ?? []),
    mapDepth,
    room: roomOf(node, type, mapDepth, ratioIn(node, document, catalog)),
  }
}

/** The ratio (width to height) of what a node is expected to make; null if unknown. */
export function ratioIn(node: FlowNode, document: FlowDocument, catalog: Catalog): number | null {
  const { nodes, incoming } = indexOf(document, catalog)
  return expectedRatio(node, { nodes, incoming, typeOf: (one) => catalog.typeOf(one) })
}

/** The inputs that a card shows: its ports but those that variables fill, then the settings that edges drive. */
export function cardInputs(
  node: FlowNode,
  type: NodeType | undefined,
  document: FlowDocument,
  incoming: readonly FlowEdge[],
): readonly Port[] {
  const ports = withoutFilled(inputPorts(node, type), document, incoming)
  return [...ports, ...drivenSettings(node, type, incoming)]
}

export function cardSize(node: FlowNode, document: FlowDocument, catalog: Catalog): Size {
  return sizeOfShape(shapeOf(node, document, catalog))
}

export function sizeOfShape(shape: CardShape): Size {
  return { width: shape.room.width, height: cardHeight(shape) }
}
