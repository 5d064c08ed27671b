import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Step, Stroke } from './painting'
import { draw, drawLine, Raster } from './raster'

const SIZE = { width: 40, height: 30 }

const length = fc.double({ min: -10, max: 50, noNaN: true })
const strokes: fc.Arbitrary<Stroke> = fc.record({
  kind: fc.constant('stroke' as const),
  tool: fc.constantFrom('paint' as const, 'erase' as const),
  radius: fc.double({ min: 0.1, max: 20, noNaN: true }),
  hardness: fc.double({ min: 0, max: 1, noNaN: true }),
  points: fc.array(fc.tuple(length, length), { minLength: 1, maxLength: 5 }).map((points) => points.flat()),
})
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: strokes },
    fc.constantFrom('invert' as const, 'clear' as const).map((kind) => ({ kind })),
  ),
  { maxLength: 12 },
)

function drawn(list: readonly Step[], size = SIZE, scale = 1): Uint8Array {
  const rows = {
    data: new Uint8Array(size.width * size.height),
    width: size.width,
    top: 0,
    bottom: size.height,
    scale,
  }
  for (const step of list) draw(rows, step)
  return rows.data
}

test('a stroke has the value of the distance from its line at every pixel', () => {
  fc.assert(
    fc.property(strokes, (stroke) => {
      const found = drawn([{ ...stroke, tool: 'paint' }])
      const outer = Math.max(0.5, stroke.radius) + 0.5
      const inner = Math.max(0, Math.min(outer - 1, (outer - 0.5) * stroke.hardness))
      const isWrong = (value: number, at: number) => {
        const away = distanceTo(stroke.points, (at % SIZE.width) + 0.5, Math.floor(at / SIZE.width) + 0.5)
        return Math.abs(value - 255 * Math.min(1, Math.max(0, (outer - away) / (outer - inner)))) > 1
      }
      expect(found.findIndex(isWrong)).toBe(-1)
    }),
    { numRuns: 60 },
  )
})

test('rows that are drawn apart equal rows that are drawn together', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 30 }), (list, height) => {
      const whole = drawn(list)
      for (let top = 0; top < SIZE.height; top += height) {
        const bottom = Math.min(SIZE.height, top + height)
        const data = new Uint8Array(SIZE.width * (bottom - top))
        for (const step of list) draw({ data, width: SIZE.width, top, bottom, scale: 1 }, step)
        expectSame(data, whole.slice(top * SIZE.width, bottom * SIZE.width))
      }
    }),
  )
})

test('painting never lowers a value and erasing never raises one', () => {
  fc.assert(
    fc.property(steps, strokes, (list, stroke) => {
      const before = drawn(list)
      const after = drawn([...list, stroke])
      const isKept = (value: number, at: number) =>
        stroke.tool === 'paint' ? value >= (before[at] ?? 0) : value <= (before[at] ?? 0)
      expect(after.every(isKept)).toBe(true)
    }),
  )
})

test('inverting twice changes nothing, and clearing leaves nothing', () => {
  fc.assert(
    fc.property(steps, (list) => {
      expectSame(drawn([...list, { kind: 'invert' }, { kind: 'invert' }]), drawn(list))
      expect(drawn([...list, { kind: 'clear' }]).every((value) => value === 0)).toBe(true)
    }),
  )
})

test('nothing outside the reported part changes', () => {
  fc.assert(
    fc.property(strokes, length, length, length, length, (stroke, x0, y0, x1, y1) => {
      const rows = { data: new Uint8Array(1200).fill(128), width: 40, top: 0, bottom: 30, scale: 1 }
      const part = drawLine(rows, stroke, x0, y0, x1, y1)
      const isChangedOutside = (value: number, at: number) => {
        const [x, y] = [at % 40, Math.floor(at / 40)]
        const isInside = x >= part.x && x < part.x + part.width && y >= part.y && y < part.y + part.height
        return !isInside && value !== 128
      }
      expect(rows.data.findIndex(isChangedOutside)).toBe(-1)
    }),
  )
})

test('a mask that is painted at a reduced size looks like the one at full size', () => {
  const stroke: Stroke = {
    kind: 'stroke',
    tool: 'paint',
    radius: 60,
    hardness: 0.5,
    points: [80, 80, 240, 160],
  }
  const large = drawn([stroke], { width: 320, height: 240 })
  const small = drawn([stroke], { width: 80, height: 60 }, 0.25)
  for (let y = 0; y < 60; y += 1) {
    for (let x = 0; x < 80; x += 1) {
      const value = large[(4 * y + 2) * 320 + 4 * x + 2] ?? 0
      expect(Math.abs((small[y * 80 + x] ?? 0) - value)).toBeLessThanOrEqual(24)
    }
  }
})

test('any walk through steps shows the same mask as drawing them from the start', () => {
  fc.assert(
    fc.property(steps, fc.array(fc.nat({ max: 12 }), { maxLength: 12 }), (list, walk) => {
      const raster = new Raster(SIZE, 1)
      for (const count of walk) {
        raster.show(list.slice(0, count))
        expectSame(raster.rows.data, drawn(list.slice(0, count)))
      }
    }),
  )
})

test('a stroke that is drawn ahead equals its step, and leaves nothing when it is given up', () => {
  const stroke: Stroke = { kind: 'stroke', tool: 'paint', radius: 6, hardness: 0.5, points: [5, 5, 20, 20] }
  const raster = new Raster(SIZE, 1)
  raster.drawAhead(stroke, 5, 5, 5, 5)
  raster.drawAhead(stroke, 5, 5, 20, 20)
  expect(raster.show([])).toBe(true)
  expect(raster.isEmpty).toBe(true)
  raster.drawAhead(stroke, 5, 5, 20, 20)
  const steps = [stroke]
  raster.keep(steps)
  expect(raster.show([stroke])).toBe(false)
  expect(raster.rows.data).toEqual(drawn(steps))
  expect(raster.isEmpty).toBe(false)
})

test('a painting goes on from an earlier mask', () => {
  const base = new Uint8Array(1200).fill(200)
  const raster = new Raster(SIZE, 1, base)
  raster.show([{ kind: 'invert' }])
  expect(raster.rows.data[0]).toBe(55)
  raster.show([])
  expect(raster.rows.data).toEqual(base)
})

/** Expects equal pixels. `toEqual` compares arrays of numbers many times slower. */
function expectSame(found: Uint8Array, expected: Uint8Array): void {
  expect(found.length).toBe(expected.length)
  expect(found.findIndex((value, at) => value !== expected[at])).toBe(-1)
}

function distanceTo(points: readonly number[], x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < points.length; at += 2) {
    const before = Math.max(0, at - 2)
    const [ax = 0, ay = 0] = points.slice(before, before + 2)
    const [bx = 0, by = 0] = points.slice(at, at + 2)
    const long = (bx - ax) ** 2 + (by - ay) ** 2
    const part = long ? Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / long)) : 0
    least = Math.min(least, Math.hypot(x - ax - part * (bx - ax), y - ay - part * (by - ay)))
  }
  return least
}
