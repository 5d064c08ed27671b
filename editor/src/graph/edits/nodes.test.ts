import { describe, expect, it } from 'vitest'
import { sampleFlow, withNode } from '@/test/flow-samples'
import { type FlowDocument, type FlowNode, findNode } from '../document'
import { parseDocument } from '../parse'
import {
  addNode,
  changeType,
  moveNodes,
  removeNodes,
  renameNode,
  setExposed,
  setMode,
  setPin,
  setResult,
  setSetting,
  setSettings,
} from './nodes'

const flow = sampleFlow()
const paint = findNode(flow, 'paint') as FlowNode
const withPaint = (more: Partial<FlowNode>) => withNode(flow, 'paint', more)
const pin = { outputs: {} } as never

it('adds a node with a free id at whole pixels', () => {
  const type = { id: 'palette', version: 3 }
  const one = addNode(flow, type, { x: 1.4, y: 2.6 })
  expect(findNode(one.document, one.id)).toEqual({
    id: 'palette',
    type: 'palette',
    version: 3,
    settings: {},
    position: { x: 1, y: 3 },
  })
  const two = addNode(one.document, type, { x: 0, y: 0 }, { size: 5 })
  expect(findNode(two.document, 'palette_2')?.settings).toEqual({ size: 5 })
})

describe('an edit of one node', () => {
  const edits: [string, (document: FlowDocument, id: string) => FlowDocument, Partial<FlowNode>][] = [
    ['its title', (document, id) => renameNode(document, id, ' Hero '), { title: 'Hero' }],
    ['that it is a result', (document, id) => setResult(document, id, true), { result: true }],
    ['that it is no result', (document, id) => setResult(document, id, false), { result: false }],
    ['its mode', (document, id) => setMode(document, new Set([id]), 'disabled'), { mode: 'disabled' }],
    ['its pin', (document, id) => setPin(document, id, pin), { pin }],
    ['a setting', (document, id) => setSetting(document, id, 'n_images', 3), { settings: { n_images: 3 } }],
    ['all settings', (document, id) => setSettings(document, id, { seed: 1 }), { settings: { seed: 1 } }],
    [
      'its type',
      (document, id) => changeType(document, id, { id: 'palette', version: 2 }),
      { type: 'palette', version: 2 },
    ],
    [
      'what launchers may set',
      (document, id) => setExposed(document, id, 'seed', { maximum: 4 }),
      { exposed: { seed: { maximum: 4 } } },
    ],
    [
      'its place',
      (document, id) => moveNodes(document, new Map([[id, { x: 600.2, y: 8.7 }]])),
      { position: { x: 600, y: 9 } },
    ],
  ]

  it.each(edits)('sets %s and nothing else', (_, edit, more) => {
    expect(edit(flow, 'paint')).toStrictEqual(withPaint(more))
  })

  it.each(edits)('changes nothing if the node is missing: %s', (_, edit) => {
    expect(edit(flow, 'missing')).toBe(flow)
  })
})

it.each<[string, (document: FlowDocument) => FlowDocument, Partial<FlowNode>]>([
  ['title', (document) => renameNode(document, 'paint', ' '), { title: 'Hero' }],
  ['mark as a result', (document) => setResult(document, 'paint', undefined), { result: false }],
  ['mode', (document) => setMode(document, new Set(['paint']), undefined), { mode: 'disabled' }],
  ['pin', (document) => setPin(document, 'paint', undefined), { pin }],
  [
    'last setting for launchers',
    (document) => setExposed(document, 'paint', 'seed', undefined),
    { exposed: { seed: {} } },
  ],
  ['setting', (document) => setSetting(document, 'paint', 'seed', undefined), { settings: { seed: 1 } }],
])('removes the %s of a node', (_, edit, more) => {
  expect(edit(withPaint(more))).toStrictEqual(flow)
})

it.each<[string, (document: FlowDocument) => FlowDocument, Partial<FlowNode>]>([
  ['title', (document) => renameNode(document, 'paint', 'Hero '), { title: 'Hero' }],
  ['result', (document) => setResult(document, 'paint', false), { result: false }],
  ['mode', (document) => setMode(document, new Set(['paint']), 'disabled'), { mode: 'disabled' }],
  ['pin', (document) => setPin(document, 'paint', pin), { pin }],
  ['setting', (document) => setSetting(document, 'paint', 'seed', 1), { settings: { seed: 1 } }],
  ['place', (document) => moveNodes(document, new Map([['paint', { x: 600.4, y: -0.4 }]])), {}],
])('is the same document where the %s is as before', (_, edit, more) => {
  const before = withPaint({ ...more, position: { x: 600, y: -0 } })
  expect(edit(before)).toBe(before)
})

it('keeps the other settings of a node that launchers may set', () => {
  const both = setExposed(setExposed(flow, 'paint', 'seed', { label: 'Seed' }), 'paint', 'size', {
    label: 'Size',
  })
  expect(findNode(setExposed(both, 'paint', 'seed', undefined), 'paint')?.exposed).toEqual({
    size: { label: 'Size' },
  })
  const limits = { label: '', help: undefined, minimum: 0, choices: ['a'] } as never
  expect(findNode(setExposed(flow, 'paint', 'seed', limits), 'paint')?.exposed).toEqual({
    seed: { minimum: 0, choices: ['a'] },
  })
})

it('a setting for launchers is read again from the stored document', () => {
  const offered = setExposed(flow, 'paint', 'n_images', { label: '', maximum: 4, choices: [] })
  expect(findNode(offered, 'paint')?.exposed).toEqual({ n_images: { maximum: 4 } })
  expect(parseDocument(JSON.parse(JSON.stringify(offered)))).toEqual(offered)
})

it('moves a node along either axis', () => {
  const { x, y } = paint.position
  for (const point of [
    { x: x + 1, y },
    { x, y: y + 1 },
  ])
    expect(findNode(moveNodes(flow, new Map([['paint', point]])), 'paint')?.position).toEqual(point)
})

it('removes nodes with their edges in both directions', () => {
  const left = removeNodes(flow, new Set(['write']))
  expect(left.nodes.map(({ id }) => id)).toEqual(['ask', 'paint', 'animate'])
  expect(left.edges).toEqual([{ from: 'paint.output', to: 'animate.image' }])
  expect(removeNodes(flow, new Set(['missing']))).toBe(flow)
})
