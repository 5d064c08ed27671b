import { expect, it } from 'vitest'
import { percentOf } from './masked-percent'

const grey = (...values: number[]) =>
  new Uint8ClampedArray(values.flatMap((value) => [value, value, value, 255]))

it.each([
  [grey(0, 0, 0, 0), 0],
  [grey(255, 255), 100],
  [grey(255, 0, 0, 0), 25],
  [grey(1, ...Array.from({ length: 999 }, () => 0)), 1],
  [grey(254, ...Array.from({ length: 999 }, () => 255)), 99],
])('the share of a mask in percent', (pixels, percent) => {
  expect(percentOf(pixels)).toBe(percent)
})
