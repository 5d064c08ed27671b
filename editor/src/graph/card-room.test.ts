import { expect, it, test } from 'vitest'
import { SAMPLE, sampleFlow, sampleNode, samplePort, sampleType } from '@/test/flow-samples'
import { expectedRatio, makesVisual, mediaGrid, roomOf } from './card-room'
import { cardSize, ratioIn } from './card-size'
import type { NodeType } from './catalog'

const ROOM = { width: 264, height: 200 }
const paint = (settings: Record<string, unknown>) => sampleNode('paint', 'image_generation', { settings })
const roomFor = (settings: Record<string, unknown>, mapDepth = 0) => {
  const node = paint(settings)
  const flow = sampleFlow({ nodes: [node], edges: [] })
  return roomOf(node, SAMPLE.typeOf(node), mapDepth, ratioIn(node, flow, SAMPLE))
}

test.each([
  ['two wide images stand one above the other', 2, 16 / 9, { columns: 1, width: 172 }],
  ['three wide images stand in two columns', 3, 16 / 9, { columns: 2, width: 129 }],
  ['three upright images are a strip', 3, 4 / 5, { columns: 3, width: 84 }],
  ['four square images are two rows', 4, 1, { columns: 2, width: 97 }],
  ['four upright images are a strip', 4, 9 / 16, { columns: 4, width: 61 }],
])('%s', (_, count, ratio, grid) => {
  expect(mediaGrid(count, ratio, ROOM)).toMatchObject(grid)
})

test('images never need more than their room', () => {
  for (const count of [1, 2, 3, 4])
    for (const ratio of [21 / 9, 16 / 9, 1, 4 / 5, 9 / 16]) {
      const { columns, width } = mediaGrid(count, ratio, ROOM)
      const rows = Math.ceil(count / columns)
      expect(columns * width + (columns - 1) * 6).toBeLessThanOrEqual(ROOM.width)
      expect((rows * width) / ratio + (rows - 1) * 6).toBeLessThanOrEqual(ROOM.height + 0.01)
    }
})

it.each([
  ['an upright image', { aspect_ratio: '4:5' }, 0, { width: 232, height: 260 }],
  ['a very tall image', { aspect_ratio: '9:16' }, 0, { width: 232, height: 320 }],
  ['a wide image', { aspect_ratio: '16:9' }, 0, { width: 272, height: 140 }],
  ['an image of unknown shape', {}, 0, { width: 232, height: 154 }],
  ['three images', { aspect_ratio: '4:5', n_images: 3 }, 0, { width: 272, height: 100 }],
  ['images of each item', { aspect_ratio: '9:16' }, 1, { width: 272, height: 139 }],
])('reserves a room by the ratio and the number of %s', (_, settings, mapDepth, room) => {
  expect(roomFor(settings, mapDepth)).toEqual(room)
})

it('reserves what an image that is made from another one needs', () => {
  const made = paint({ aspect_ratio: '4:5' })
  const flow = sampleFlow({
    nodes: [made, sampleNode('animate', 'video_generation'), sampleNode('sheet', 'join_clips')],
    edges: [
      { from: 'paint.output', to: 'animate.image' },
      { from: 'animate.output', to: 'sheet.clips' },
    ],
  })
  const [, animate, joined] = flow.nodes
  expect(animate && ratioIn(animate, flow, SAMPLE)).toBe(0.8)
  // A list of clips may have any shape.
  expect(joined && ratioIn(joined, flow, SAMPLE)).toBeNull()
})

it('gives text that is read a wide card, and inputs a narrow one', () => {
  const flow = sampleFlow()
  expect(flow.nodes.map((node) => cardSize(node, flow, SAMPLE).width)).toEqual([232, 272, 232, 272])
})

const outputOf = (type: string, list = false) => samplePort('output', type, { list })
const typeWith = (more: Partial<NodeType>) => sampleType('paint', { outputs: [outputOf('Image')], ...more })
const roomWith = (more: Partial<NodeType>, settings = {}, mapDepth = 0, ratio: number | null = null) =>
  roomOf(paint(settings), typeWith(more), mapDepth, ratio)

it.each<[string, Partial<NodeType>, { width: number; height: number }]>([
  ['an image', {}, { width: 232, height: 154 }],
  ['a video', { outputs: [outputOf('Video')] }, { width: 232, height: 154 }],
  ['a list of images', { outputs: [outputOf('Image', true)] }, { width: 272, height: 100 }],
  [
    'an image beside a list of texts',
    { outputs: [outputOf('Image'), outputOf('Text', true)] },
    { width: 232, height: 154 },
  ],
  ['a generated mask', { outputs: [outputOf('Mask')] }, { width: 232, height: 154 }],
  ['an input mask', { outputs: [outputOf('Mask')], input: 'mask' }, { width: 232, height: 44 }],
  ['generated text', { outputs: [outputOf('Text')] }, { width: 272, height: 96 }],
  ['audio', { outputs: [outputOf('Audio')] }, { width: 232, height: 76 }],
])('reserves room for %s', (_, more, room) => {
  expect(roomWith(more)).toEqual(room)
})

it('reserves room for the number of images in the settings, four at most', () => {
  const list = { outputs: [outputOf('Image', true)] }
  const four = roomWith(list, { n_images: 4 }, 0, 9 / 16)
  expect(roomWith(list, { n_images: 9 }, 0, 9 / 16)).toEqual(four)
  expect(roomWith(list, { n_images: 1 })).toEqual({ width: 232, height: 154 })
  expect(roomWith(list, { n_images: 2 }).width).toBe(272)
  expect(roomWith({}, { n_images: 1 }, 1).width).toBe(272)
})

it('has a wide card for an image that is wider than 5:4', () => {
  expect([1.25, 1.26].map((ratio) => roomWith({}, {}, 0, ratio))).toEqual([
    { width: 232, height: 166 },
    { width: 272, height: 197 },
  ])
})

it.each([
  [1, 1, { columns: 1, width: 200, height: 200 }],
  [2, 1, { columns: 2, width: 129, height: 129 }],
  [4, 1, { columns: 2, width: 97, height: 200 }],
])('lays %d images of the ratio %d out in full', (count, ratio, grid) => {
  expect(mediaGrid(count, ratio, ROOM)).toEqual(grid)
})

it('expects the ratio of the file, else the named ratio, else that of width and height', () => {
  const ratio = (settings: object, more: Partial<NodeType> = {}) =>
    expectedRatio(paint({ ...settings }), {
      nodes: new Map(),
      incoming: new Map(),
      typeOf: () => typeWith(more),
    })
  const file = { width: 300, height: 200 }
  expect(ratio({ file, aspect_ratio: '1:1' }, { input: 'file' })).toBe(1.5)
  expect(ratio({ file, aspect_ratio: '1:1' })).toBe(1)
  expect(ratio({ width: 400, height: 200 })).toBe(2)
  for (const none of [
    {},
    { width: 400 },
    { height: 200 },
    { width: 400, height: 0 },
    { width: '400', height: '200' },
  ])
    expect(ratio(none)).toBeNull()
  expect(ratio({ width: 1, height: 1 }, { outputs: [outputOf('Text')] })).toBeNull()
})

it('looks for the ratio of an image at eight nodes at most', () => {
  const chain = (length: number) => {
    const nodes = Array.from({ length }, (_, at) =>
      sampleNode(`n${at}`, 'video_generation', { settings: at === 0 ? { aspect_ratio: '4:5' } : {} }),
    )
    const edges = nodes.slice(1).map(({ id }, at) => ({ from: `n${at}.output`, to: `${id}.image` }))
    const flow = sampleFlow({ nodes, edges })
    return ratioIn(flow.nodes[length - 1] as (typeof nodes)[number], flow, SAMPLE)
  }
  expect([chain(7), chain(8), chain(9)]).toEqual([0.8, 0.8, null])
})

it('knows which nodes make images or videos', () => {
  expect(
    ['image_generation', 'video_generation', 'palette'].map((id) => makesVisual(SAMPLE.type(id) as NodeType)),
  ).toEqual([true, true, false])
})
