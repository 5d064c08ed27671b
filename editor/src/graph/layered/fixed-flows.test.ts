import { expect, it } from 'vitest'
import { fixedNumbers } from '@/test/fixed-numbers'
import { crossingsOf } from './crossings'
import { setHeights } from './heights'
import { type Layer, layersOf } from './layers'
import { orderLayers } from './order'
import type { Arc } from './ranks'

/** A flow of columns with 5 items each, whose edges a fixed sequence of numbers chooses; some pass columns. */
function flowOf(columns: number, edges: number, start: number): Layer[] {
  const next = fixedNumbers(start)
  const arcs = Array.from({ length: edges }, (): Arc => {
    const from = next(5 * (columns - 1))
    const column = Math.floor(from / 5) + 1
    const to = 5 * Math.min(columns - 1, column + (next(4) === 0 ? 1 : 0)) + next(5)
    const fromY = [30, 60, 90][next(3)] as number
    return { from, to, fromY, toY: [20, 50, 80][next(3)] as number, port: `${from}.${fromY}` }
  })
  const ranks = Array.from({ length: 5 * columns }, (_, item) => Math.floor(item / 5))
  return layersOf(
    ranks.map((_, item) => ({ width: 232, height: 100 + 20 * (item % 3) })),
    arcs,
    ranks,
  )
}

/** Each column from top to bottom: its items, and `-` where an edge passes. */
const orderOf = (layers: readonly Layer[]) =>
  layers.map((layer) => layer.map(({ item }) => item ?? '-').join(' '))

/** These layouts are kept in every version, so that a flow that is arranged again looks the same. */
it.each<[number, number, number, number, string[], number[][]]>([
  [
    3,
    12,
    1,
    3,
    ['0 1 2 3 4', '6 5 7 8 9', '14 10 12 11 13'],
    [
      [-333, -189, -25, 159, 330],
      [57, 201, 385, 549, 738],
      [67, 461, 625, 769, 953],
    ],
  ],
  [
    3,
    16,
    2,
    3,
    ['1 0 2 3 4', '6 5 8 - 7 9', '12 11 14 10 13'],
    [
      [-379, -215, -71, 113, 257],
      [-452, -308, -124, 259, 424, 588],
      [-360, -216, -32, 152, 412],
    ],
  ],
  [
    4,
    22,
    3,
    9,
    ['4 1 0 3 2', '5 9 8 6 7', '10 11 14 - 12 13', '18 17 15 16 19'],
    [
      [-320, -156, 116, 260, 404],
      [-298, -114, 30, 214, 358],
      [-369, -205, -21, 141, 174, 369],
      [116, 260, 462, 606, 770],
    ],
  ],
  [
    5,
    30,
    4,
    18,
    ['1 0 2 3 4', '- 8 7 6 5 9 -', '10 13 12 11 - - 14 -', '- 15 - - 18 16 17 19', '20 23 22 24 21'],
    [
      [-1660, -1284, -1018, 331, 475],
      [-1808, -1786, -1602, -1438, -1294, -1110, -988],
      [-2040, -1876, -1712, -1568, -1406, -1392, -1276, -1060],
      [-2010, -1926, -1617, -1603, -1581, -1437, -1273, -1089],
      [-2060, -1624, -1432, -1268, -1124],
    ],
  ],
  [
    6,
    40,
    5,
    21,
    [
      '0 2 4 3 1',
      '6 7 5 9 8 -',
      '14 - - 13 11 - - 10 12',
      '18 - 15 16 17 19',
      '21 - 22 23 - 20 - 24 -',
      '29 28 27 26 25',
    ],
    [
      [-398, -28, 156, 369, 794],
      [46, 190, 354, 538, 692, 854],
      [4, 208, 222, 244, 408, 570, 584, 746, 910],
      [-61, 61, 173, 317, 481, 705],
      [-167, -45, -23, 141, 303, 325, 487, 509, 631],
      [-111, 73, 262, 581, 765],
    ],
  ],
])(
  'a flow of %d columns and %d edges, chosen by sequence %d, keeps its layout',
  (columns, edges, start, crossings, order, heights) => {
    const layers = flowOf(columns, edges, start)
    orderLayers(layers)
    expect([crossingsOf(layers), orderOf(layers)]).toEqual([crossings, order])
    setHeights(layers)
    expect(layers.map((layer) => layer.map(({ y }) => Math.round(y)))).toEqual(heights)
  },
)
