// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { Catalog, type NodeType, type PortType } from '@/graph/catalog'
import type { FlowDocument } from '@/graph/document'
import { addMaskedEdit, imageInto, imagesOf } from './mask-actions'
import type { Session } from './session'
import { createViewStore } from './view-store'

const port = (name: string, type: string, more: Partial<PortType> = {}) =>
  ({ name, title: name, help: '', type, list: false, ...more }) as PortType

function nodeType(id: string, more: Partial<NodeType>): NodeType {
  const settings = { type: 'object', properties: {} }
  const plain = { inputs: [], outputs: [], settings, input: null, variables: [], deprecated: false }
  return { id, title: id, version: 1, summary: '', help: '', ...plain, ...more } as unknown as NodeType
}

const CATALOG = new Catalog({
  types: [
    nodeType('picture', { outputs: [port('output', 'Image')], input: 'picture' }),
    nodeType('compose', { outputs: [port('output', 'Text')] }),
    nodeType('image_generation', { outputs: [port('output', 'Image', { list: true })] }),
    nodeType('image_edit', {
      inputs: [port('picture', 'Image', { required: true }), port('prompt', 'Text', { required: true })],
      outputs: [port('output', 'Image')],
      settings: {
        type: 'object',
        properties: { mask: { 'x-type': 'Mask', 'x-ui': { widget: 'mask' } } },
      } as unknown as NodeType['settings'],
    }),
  ],
  conversions: [],
} as unknown as ConstructorParameters<typeof Catalog>[0])

const image = (id: string) => ({ $type: 'Image' as const, asset_id: id })
const mask = { $type: 'Mask' as const, image: image('mask') }

/** A canvas with one node that made these images. */
function sessionWith(...ids: string[]) {
  const make = { id: 'make', type: 'image_generation', version: 1, settings: {}, position: { x: 0, y: 0 } }
  const steps = { make: { status: 'finished', outputs: { output: ids.map(image) } } }
  let undone = 0
  const session = {
    document: { format: 2, name: '', nodes: [make], edges: [], annotations: {} } as unknown as FlowDocument,
    catalog: CATALOG,
    canEdit: true,
    view: createViewStore(),
    flow: { settle: () => undefined },
    runner: { live: { getState: () => ({ steps, order: ['make'] }) } },
    sizeOf: () => ({ width: 232, height: 200 }),
    edit(change: (document: FlowDocument) => FlowDocument) {
      undone += 1
      session.document = change(session.document)
    },
  }
  return { session: session as unknown as Session, steps: () => undone }
}

it('connects the edit of an only image to the node that made it', () => {
  const { session, steps } = sessionWith('a')
  const [source] = imagesOf(session, session.document.nodes[0] as never)
  addMaskedEdit(session, source as never, mask)
  const { nodes, edges } = session.document
  expect(nodes.map(({ type }) => type)).toEqual(['image_generation', 'image_edit', 'compose'])
  expect(nodes[1]?.settings.mask).toEqual(mask)
  expect(edges.map(({ from, to }) => `${from} ${to}`)).toEqual([
    'make.output image_edit.picture',
    'compose.output image_edit.prompt',
  ])
  expect(steps()).toBe(1)
  expect(session.view.getState().nodes).toEqual(['compose'])
  expect(imageInto(session, nodes[1] as never)?.asset_id).toBe('a')
})

it('holds one image of several in a node of its own, so that only it is edited', () => {
  const { session } = sessionWith('a', 'b')
  const source = imagesOf(session, session.document.nodes[0] as never)[1]
  addMaskedEdit(session, source as never, mask)
  const { nodes, edges } = session.document
  const held = nodes.find(({ type }) => type === 'picture')
  expect(held?.settings.picture).toMatchObject({ asset_id: 'b' })
  expect(edges.map(({ from }) => from)).toEqual(['picture.output', 'compose.output'])
})
