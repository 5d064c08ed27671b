import { ratioOf } from '@/lib/aspect-ratio'
import type { NodeType, PortType } from './catalog'
import { type FlowEdge, type FlowNode, parseEnd, type Size } from './document'
import { settingValue } from './ports'
import { mainFields } from './setting-fields'
import { widgetOf } from './widgets'

/** The room that a card reserves for what it holds, from its kind and settings, so that results never change it. */

/** The width of a card, and of one with text to read, a wide image or several, in pixels of the canvas. */
export const CARD_WIDTH = 232
export const WIDE_CARD_WIDTH = 272
/** The space beside the content on each side, and the gap between two images. */
export const CONTENT_PADDING = 12
export const MEDIA_GAP = 6

/** Room for media of unknown shape. */
export const MEDIA_HEIGHT = 154
const MEDIA_HEIGHTS = { min: 100, max: 320 }
/** More would leave a card of several images larger than one of a single image. */
const MAX_GRID_HEIGHT = 200
/** Room for four lines of text, a waveform, or a sentence with a button. */
export const TEXT_HEIGHT = 76
/** Room for five lines of text that was written, or a table of four rows. */
export const LONG_TEXT_HEIGHT = 96
/** Room for one line: the value of a number or a choice. */
const LINE_HEIGHT = 44

/** An image that is wider than this, in widths per height, has a wide card. */
const WIDE_RATIO = 1.25
/** What a node that makes a list, or runs once per item, is expected to give. */
const SEVERAL = 3

/** The width of the card and the height of its content. */
export function roomOf(
  node: FlowNode,
  type: NodeType | undefined,
  mapDepth: number,
  ratio: number | null,
): Size {
  if (!type) return { width: CARD_WIDTH, height: TEXT_HEIGHT }
  if (type.outputs.some((output) => isMedia(output, type)))
    return mediaRoom(countOf(node, type, mapDepth), ratio)
  if (type.input !== null) {
    const isSmall = mainFields(type).every(({ schema }) => ONE_LINE.has(widgetOf(schema)))
    return { width: CARD_WIDTH, height: isSmall ? LINE_HEIGHT : TEXT_HEIGHT }
  }
  const isRead = type.outputs.some((output) => READ.has(output.type))
  return isRead
    ? { width: WIDE_CARD_WIDTH, height: LONG_TEXT_HEIGHT }
    : { width: CARD_WIDTH, height: TEXT_HEIGHT }
}

const ONE_LINE = new Set(['number', 'slider', 'switch', 'select', 'segmented', 'text', 'options', 'colour'])
const READ = new Set(['Text', 'Json', 'Captions'])

function isMedia({ type: value }: PortType, type: NodeType): boolean {
  return isVisual(value) || (value === 'Mask' && type.input === null)
}

function isVisual(value: string): boolean {
  return value === 'Image' || value === 'Video'
}

function mediaRoom(count: number, ratio: number | null): Size {
  if (count > 1) {
    const { height } = mediaGrid(count, ratio ?? 1, {
      width: WIDE_CARD_WIDTH - 2 * CONTENT_PADDING,
      height: MAX_GRID_HEIGHT,
    })
    return { width: WIDE_CARD_WIDTH, height: Math.max(MEDIA_HEIGHTS.min, height) }
  }
  const width = ratio !== null && ratio > WIDE_RATIO ? WIDE_CARD_WIDTH : CARD_WIDTH
  if (ratio === null) return { width, height: MEDIA_HEIGHT }
  const height = Math.round((width - 2 * CONTENT_PADDING) / ratio)
  return { width, height: Math.min(MEDIA_HEIGHTS.max, Math.max(MEDIA_HEIGHTS.min, height)) }
}

export interface MediaGrid {
  readonly columns: number
  /** The width of one image, and the height of all. */
  readonly width: number
  readonly height: number
}

/**
 * How images of one ratio (width to height) are laid out in a room: as large as they can be, whole, in even columns. An
 * upright or square image is not preferred at the price of a hole in the last row, unless it is much larger.
 */
export function mediaGrid(count: number, ratio: number, room: Size): MediaGrid {
  const grids = Array.from({ length: Math.max(1, count) }, (_, at) => {
    const columns = at + 1
    const rows = Math.ceil(count / columns)
    const across = (room.width - MEDIA_GAP * (columns - 1)) / columns
    const down = (room.height - MEDIA_GAP * (rows - 1)) / rows
    const width = Math.floor(Math.min(across, down * ratio))
    const height = Math.ceil((width / ratio) * rows + MEDIA_GAP * (rows - 1))
    const worth = columns * rows > count && ratio < WIDE_RATIO ? width * WORTH_WITH_HOLE : width
    return { columns, width, height, worth }
  })
  const { columns, width, height } = grids.reduce((best, grid) => (grid.worth > best.worth ? grid : best))
  return { columns, width, height }
}

const WORTH_WITH_HOLE = 0.6

/** The settings that say how many images are made, and in which shape. */
const COUNT = 'n_images'
const RATIO = 'aspect_ratio'

function countOf(node: FlowNode, type: NodeType, mapDepth: number): number {
  const asked = Number(settingValue(node, type, COUNT) ?? Number.NaN)
  if (Number.isInteger(asked) && asked > 1) return Math.min(MAX_SHOWN, asked)
  if (mapDepth > 0) return SEVERAL
  return Number.isNaN(asked) && type.outputs.some((output) => isVisual(output.type) && output.list)
    ? SEVERAL
    : 1
}

/** Cards show at most this many images. */
export const MAX_SHOWN = 4

interface Upstream {
  readonly nodes: ReadonlyMap<string, FlowNode>
  readonly incoming: ReadonlyMap<string, readonly FlowEdge[]>
  readonly typeOf: (node: FlowNode) => NodeType | undefined
}

/** How many nodes back the shape of an image is looked for. */
const MAX_HOPS = 8

/** The ratio (width to height) of what a node makes: by its settings, else that of what it is made from; null if unknown. */
export function expectedRatio(node: FlowNode, { nodes, incoming, typeOf }: Upstream): number | null {
  let at: FlowNode | undefined = node
  for (let hop = 0; at && hop < MAX_HOPS; hop++) {
    const type = typeOf(at)
    if (!type || !makesVisual(type)) return null
    const own = ownRatio(at, type)
    if (own !== null) return own
    const edges: readonly FlowEdge[] = incoming.get(at.id) ?? []
    const source = sourceOf(type, edges)
    at = source === undefined ? undefined : nodes.get(source)
  }
  return null
}

/** The node whose image or video this one changes. A sheet of many images has a shape of its own. */
function sourceOf(type: NodeType, edges: readonly FlowEdge[]): string | undefined {
  const keepsShape = type.settings.properties?.[RATIO] !== undefined
  const ports = type.inputs.filter((port) => isVisual(port.type) && (!port.list || keepsShape))
  for (const { name } of ports) {
    const edge = edges.find(({ to }) => parseEnd(to).port === name)
    if (edge) return parseEnd(edge.from).node
  }
  return undefined
}

/** Whether a node makes images or videos. */
export function makesVisual(type: NodeType): boolean {
  return type.outputs.some((output) => isVisual(output.type))
}

const known = new WeakMap<FlowNode, { readonly type: NodeType; readonly ratio: number | null }>()

/** The ratio that the settings of a node give, computed once per revision of it. */
function ownRatio(node: FlowNode, type: NodeType): number | null {
  const found = known.get(node)
  if (found?.type === type) return found.ratio
  const ratio = findRatio(node, type)
  known.set(node, { type, ratio })
  return ratio
}

function findRatio(node: FlowNode, type: NodeType): number | null {
  const held = type.input === null ? null : sized(settingValue(node, type, type.input))
  const named = held ?? ratioOf(settingValue(node, type, RATIO))
  return (
    named ?? sized({ width: settingValue(node, type, 'width'), height: settingValue(node, type, 'height') })
  )
}

function sized(value: unknown): number | null {
  const { width, height } = (value ?? {}) as { width?: unknown; height?: unknown }
  return typeof width === 'number' && typeof height === 'number' && height > 0
    ? ratioOf(width / height)
    : null
}
