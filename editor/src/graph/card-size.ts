import type { Catalog, NodeType } from './catalog'
import type { FlowDocument, FlowEdge, FlowNode, Size } from './document'
import { indexOf } from './graph-index'
import { drivenSettings, inputPorts, lostOutputs, outputPorts, type Port } from './ports'
import { mainFields } from './setting-fields'
import { withoutFilled } from './variables'
import { widgetOf } from './widgets'

/** The size of a card whose node is not in the document yet. */
export const CARD_SIZE: Size = { width: 232, height: 240 }

/** Sizes of the parts of a card, in pixels of the canvas. Ports stand above the content, so they never move. */
export const CARD_WIDTH = 232
export const HEADER_HEIGHT = 42
export const PORT_STEP = 24
export const FOOTER_HEIGHT = 32
/** The line that says that a node runs once per item. */
export const MAP_LINE_HEIGHT = 22
/** The space around the content: 2 above and 12 below. */
const CONTENT_MARGIN = 14

/** Room for a grid of images, or the frame of a video. */
export const MEDIA_HEIGHT = 154
/** Room for four lines of text, a waveform, or a sentence with a button. */
export const TEXT_HEIGHT = 76
/** Room for one line: the value of a number or a choice. */
const LINE_HEIGHT = 44

export interface CardShape {
  readonly type: NodeType | undefined
  readonly inputs: readonly Port[]
  readonly outputs: readonly Port[]
  readonly mapDepth: number
}

/** The vertical center of a card's nth port, from the top of the card. */
export function portY(at: number): number {
  return HEADER_HEIGHT + at * PORT_STEP + 10
}

/** The height reserved for the result or the settings of a node, from its kind: results never change it. */
export function contentHeight(type: NodeType | undefined): number {
  if (!type) return TEXT_HEIGHT
  const isMedia = (value: string) =>
    value === 'Image' || value === 'Video' || (value === 'Mask' && type.input === null)
  if (type.outputs.some(({ type: value }) => isMedia(value))) return MEDIA_HEIGHT
  const isSmall =
    type.input !== null && mainFields(type).every(({ schema }) => ONE_LINE.has(widgetOf(schema)))
  return isSmall ? LINE_HEIGHT : TEXT_HEIGHT
}

const ONE_LINE = new Set(['number', 'slider', 'switch', 'select', 'segmented', 'text', 'options', 'colour'])

/** Input nodes have no cost, model or duration to show. */
export function hasFooter(type: NodeType | undefined): boolean {
  return type !== undefined && type.input === null
}

/** The height of a card, before, during and after a run. */
export function cardHeight({ type, inputs, outputs, mapDepth }: CardShape): number {
  const rows = Math.max(inputs.length, outputs.length)
  return (
    HEADER_HEIGHT +
    rows * PORT_STEP +
    contentHeight(type) +
    CONTENT_MARGIN +
    (mapDepth > 0 ? MAP_LINE_HEIGHT : 0) +
    (hasFooter(type) ? FOOTER_HEIGHT : 0)
  )
}

/** The ports of a node as its card shows them: inputs, then the settings that edges drive. */
export function shapeOf(node: FlowNode, document: FlowDocument, catalog: Catalog): CardShape {
  const { incoming, outgoing, mapDepths } = indexOf(document, catalog)
  const type = catalog.typeOf(node)
  return {
    type,
    inputs: cardInputs(node, type, document, incoming.get(node.id) ?? []),
    outputs: type ? outputPorts(node, type) : lostOutputs(node, outgoing.get(node.id) ?? []),
    mapDepth: mapDepths.get(node.id) ?? 0,
  }
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
  return { width: CARD_WIDTH, height: cardHeight(shapeOf(node, document, catalog)) }
}
