import { expect, test } from 'vitest'
import { legibleText } from './legible-text'

test.each([1, 0.9, 0.75, 0.65, 0.6, 0.55])(
  'text on cards has at least 12 px on screen at a zoom of %s',
  (zoom) => {
    expect(legibleText(zoom).size * zoom).toBeGreaterThanOrEqual(12)
  },
)

test('text stops growing where a card would hold no words, and has fewer lines when it is large', () => {
  expect([1, 0.75, 0.65, 0.4, 0.1].map(legibleText)).toEqual([
    { size: 12, lines: 4, longLines: 5 },
    { size: 16, lines: 3, longLines: 4 },
    { size: 19, lines: 3, longLines: 3 },
    { size: 22, lines: 2, longLines: 3 },
    { size: 22, lines: 2, longLines: 3 },
  ])
})
