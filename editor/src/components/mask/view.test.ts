import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitView, panBy, reveal, toImage, toScreen, workingSize, zoomAt } from './view'

const side = fc.integer({ min: 16, max: 8192 })
const sizes = fc.record({ width: side, height: side })
const screens = fc.record({
  width: fc.integer({ min: 200, max: 2000 }),
  height: fc.integer({ min: 200, max: 2000 }),
})
const points = fc.record({ x: fc.integer({ min: 0, max: 200 }), y: fc.integer({ min: 0, max: 200 }) })

test('the whole image is in sight when it fits', () => {
  fc.assert(
    fc.property(sizes, screens, (image, screen) => {
      const view = fitView(image, screen)
      const end = toScreen(view, { x: image.width, y: image.height })
      expect(Math.min(view.x, view.y)).toBeGreaterThanOrEqual(15.9)
      expect(end.x).toBeLessThanOrEqual(screen.width - 15.9)
      expect(end.y).toBeLessThanOrEqual(screen.height - 15.9)
    }),
  )
})

test('zooming keeps the point under the pointer where it is', () => {
  const [image, screen] = [
    { width: 1000, height: 800 },
    { width: 900, height: 700 },
  ]
  const view = fitView(image, screen)
  const at = { x: 300, y: 250 }
  const before = toImage(view, at)
  const after = toImage(zoomAt(view, 2, at, image, screen), at)
  expect(after.x).toBeCloseTo(before.x)
  expect(after.y).toBeCloseTo(before.y)
})

test('however one zooms and pans, a part of the image stays in sight', () => {
  const moves = fc.array(
    fc.record({
      factor: fc.constantFrom(0.1, 0.8, 1, 1.25, 40),
      at: points,
      x: fc.integer(),
      y: fc.integer(),
    }),
    { maxLength: 10 },
  )
  fc.assert(
    fc.property(sizes, screens, moves, (image, screen, list) => {
      let view = fitView(image, screen)
      for (const { factor, at, x, y } of list) {
        view = panBy(zoomAt(view, factor, at, image, screen), { x, y }, image, screen)
      }
      const end = toScreen(view, { x: image.width, y: image.height })
      expect(view.zoom).toBeGreaterThan(0)
      expect(end.x).toBeGreaterThan(15)
      expect(end.y).toBeGreaterThan(15)
      expect(view.x).toBeLessThan(screen.width - 15)
      expect(view.y).toBeLessThan(screen.height - 15)
    }),
  )
})

test('a point out of sight is brought into sight', () => {
  const [image, screen] = [
    { width: 4000, height: 4000 },
    { width: 400, height: 400 },
  ]
  const near = zoomAt(fitView(image, screen), 10, { x: 0, y: 0 }, image, screen)
  const at = toScreen(reveal(near, { x: 4000, y: 2000 }, image, screen), { x: 4000, y: 2000 })
  expect(at.x).toBeLessThanOrEqual(400)
  expect(at.y).toBeLessThanOrEqual(400)
})

test('large images are painted at a reduced size of the same shape, small ones at their own', () => {
  expect(workingSize({ width: 8192, height: 4096 })).toEqual({ width: 2048, height: 1024 })
  expect(workingSize({ width: 2048, height: 16 })).toEqual({ width: 2048, height: 16 })
  expect(workingSize({ width: 16, height: 16 })).toEqual({ width: 16, height: 16 })
  expect(workingSize({ width: 8192, height: 1 })).toEqual({ width: 2048, height: 1 })
})
