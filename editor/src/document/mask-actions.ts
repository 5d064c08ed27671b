import { CARD_SIZE } from '@/graph/card-size'
import type { Catalog, NodeType } from '@/graph/catalog'
import { type FlowNode, findNode, parseEnd } from '@/graph/document'
import { connect } from '@/graph/edits/edges'
import { GAP } from '@/graph/edits/free-place'
import { addNode } from '@/graph/edits/nodes'
import { pinnedValues } from '@/graph/pins'
import { inputPorts, outputPorts, settingValue } from '@/graph/ports'
import { fieldsOf } from '@/graph/setting-fields'
import { widgetOf } from '@/graph/widgets'
import { randomId } from '@/lib/ids'
import { type MaskValue, type MediaValue, mediaIn } from '@/lib/run/media-values'
import { stepOfNode } from '@/lib/run/subflow-steps'
import { freePlaceFor } from './actions'
import type { Session } from './session'
import type { NodeImage } from './view-store'

/** The images that a node gives: the file it holds, its pinned result or its result in the run on the canvas. */
export function imagesOf(session: Session, node: FlowNode): NodeImage[] {
  const type = session.catalog.typeOf(node)
  const held = type?.input ? settingValue(node, type, type.input) : undefined
  const run = stepOfNode(session.runner.live.getState(), node.id)?.outputs ?? {}
  const values = node.pin ? pinnedValues(node.pin) : run
  return outputPorts(node, type).flatMap(({ name, type: valueType }) => {
    if (valueType !== 'Image') return []
    const value = type?.input ? held : values[name]
    const images = mediaIn(value).filter(({ $type }) => $type === 'Image')
    return images.map((image) => ({ end: { node: node.id, port: name }, image, isOfList: images.length > 1 }))
  })
}

/**
 * The image that a node is given to change; null if none is connected, or it is not known yet. Undefined for a node that
 * takes no image.
 */
export function imageInto(session: Session, node: FlowNode): MediaValue | null | undefined {
  const { document, catalog } = session
  const port = inputPorts(node, catalog.typeOf(node)).find(({ type }) => type === 'Image')
  if (!port) return undefined
  const edge = document.edges.find(({ to }) => to === `${node.id}.${port.name}`)
  if (!edge) return null
  const from = parseEnd(edge.from)
  const source = findNode(document, from.node)
  const found = source ? imagesOf(session, source) : []
  return found.find(({ end }) => end.port === from.port)?.image ?? null
}

/** The setting of a type that takes a mask. */
function maskSetting(type: NodeType): string | undefined {
  return fieldsOf(type).find(({ schema }) => widgetOf(schema) === 'mask')?.name
}

/** The type that changes the masked part of an image, with the names of what it needs; null without one. */
function editType(catalog: Catalog) {
  for (const type of catalog.types) {
    const setting = maskSetting(type)
    const image = type.inputs.find((port) => port.type === 'Image' && !port.list)
    const prompt = type.inputs.find((port) => port.type === 'Text' && port.required)
    if (setting && image && prompt && !type.deprecated) {
      return { type, setting, image: image.name, prompt: prompt.name }
    }
  }
  return null
}

export function canMask({ catalog, canEdit }: Session): boolean {
  return canEdit && editType(catalog) !== null
}

/** The type of nodes that hold a text, from which the prompt comes, and the one of nodes that hold an image. */
const PROMPT_TYPE = 'compose'
const IMAGE_TYPE = 'picture'

/**
 * Adds a node that changes the masked part of an image, and one with its prompt, which takes the focus, as one undo
 * step. One image of a list is held by a node of its own.
 */
export function addMaskedEdit(session: Session, source: NodeImage, mask: MaskValue): void {
  const { catalog } = session
  const edit = editType(catalog)
  if (!edit) return
  const gesture = `mask:${randomId()}`
  const { x, y } = findNode(session.document, source.end.node)?.position ?? { x: 0, y: 0 }
  const { width, height } = session.sizeOf(source.end.node)
  const below = freePlaceFor(session, { x, y: y + height + 2 * GAP })
  const right = freePlaceFor(session, { x: x + width + 2 * GAP, y })
  let promptId = ''
  let editId = ''
  const added: string[] = []
  session.edit((document) => {
    let flow = document
    let from = source.end
    const holder = source.isOfList ? catalog.type(IMAGE_TYPE) : undefined
    if (holder?.input) {
      const held = addNode(flow, holder, right, { [holder.input]: source.image })
      flow = held.document
      from = { node: held.id, port: holder.outputs[0]?.name ?? 'output' }
    }
    const place = holder ? { x: right.x + CARD_SIZE.width + 2 * GAP, y: right.y } : right
    const made = addNode(flow, edit.type, place, { [edit.setting]: mask })
    editId = made.id
    added.push(from.node, editId)
    flow = connect(made.document, catalog, from, { node: editId, port: edit.image })
    const words = catalog.type(PROMPT_TYPE)
    if (!words) return flow
    const prompt = addNode(flow, words, below)
    promptId = prompt.id
    added.push(promptId)
    const text = { node: promptId, port: words.outputs[0]?.name ?? 'output' }
    return connect(prompt.document, catalog, text, { node: editId, port: edit.prompt })
  }, gesture)
  session.flow.settle()
  if (!editId) return
  session.view.select([promptId || editId])
  session.view.setState(({ inspect }) => ({
    tab: 'settings',
    isInspectorOpen: true,
    isPaletteOpen: false,
    dialog: null,
    inspect: inspect + 1,
  }))
  // All of them: the edit would be beneath the inspector if only the prompt were brought into view.
  session.viewport?.fit([source.end.node, ...added])
}
