import { expect, it, test } from 'vitest'
import { SAMPLE, sampleFlow, sampleNode } from '@/test/flow-samples'
import { mediaGrid, roomOf } from './card-room'
import { cardSize, ratioIn } from './card-size'

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
