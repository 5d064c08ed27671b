import { expect, it } from 'vitest'
import { type CropBox, fitBox, moveBox, resizeBox, withSide } from './crop-box'

const size = { width: 400, height: 300 }

it('starts with the largest frame of the format, in the middle', () => {
  expect(fitBox(size, 1)).toEqual({ x: 50, y: 0, width: 300, height: 300 })
  expect(fitBox(size, 16 / 9)).toEqual({ x: 0, y: 37, width: 400, height: 225 })
  expect(fitBox(size, null)).toEqual({ x: 0, y: 0, width: 400, height: 300 })
  expect(fitBox({ width: 5000, height: 16 }, 9 / 16)).toMatchObject({ width: 9, height: 16 })
})

it('keeps the frame within the image, however it is moved, resized or typed', () => {
  const start = fitBox(size, null)
  const inside = ({ x, y, width, height }: CropBox) =>
    x >= 0 && y >= 0 && width >= 16 && height >= 16 && x + width <= 400 && y + height <= 300
  for (const ratio of [null, 1, 4 / 5, 9 / 16, 16 / 9]) {
    for (const by of [-1e9, -7.5, 0, 7.5, 1e9]) {
      const box = resizeBox(fitBox(size, ratio), size, { wider: -200, higher: -150, ratio })
      expect(inside(moveBox(box, size, by, -by))).toBe(true)
      expect(inside(resizeBox(box, size, { wider: by, higher: by / 2, ratio }))).toBe(true)
      for (const side of ['x', 'y', 'width', 'height'] as const) {
        expect(inside(withSide(box, size, side, by, ratio))).toBe(true)
      }
    }
  }
  expect(withSide(start, size, 'width', Number.NaN, null)).toBe(start)
})

it('keeps the format while it is resized', () => {
  const box = resizeBox(fitBox(size, 1), size, { wider: -100, higher: 0, ratio: 1 })
  expect([box.width, box.height]).toEqual([200, 200])
  expect(withSide(box, size, 'height', 120, 1)).toMatchObject({ width: 120, height: 120 })
})
