import { expect, test } from 'vitest'
import { mediaGrid } from './media-grid'

test.each([
  ['two wide images stand one above the other', 2, 16 / 9, { columns: 1, width: 131 }],
  ['three upright images are a strip', 3, 4 / 5, { columns: 3, width: 65 }],
  ['four square images are two rows', 4, 1, { columns: 2, width: 74 }],
  ['four upright images are a strip', 4, 9 / 16, { columns: 4, width: 47 }],
])('%s', (_, count, ratio, grid) => {
  expect(mediaGrid(count, ratio)).toEqual(grid)
})

test('images never need more than the room of a card', () => {
  for (const count of [1, 2, 3, 4])
    for (const ratio of [21 / 9, 16 / 9, 1, 4 / 5, 9 / 16]) {
      const { columns, width } = mediaGrid(count, ratio)
      const rows = Math.ceil(count / columns)
      expect(columns * width + (columns - 1) * 6).toBeLessThanOrEqual(208)
      expect((rows * width) / ratio + (rows - 1) * 6).toBeLessThanOrEqual(154.01)
    }
})
