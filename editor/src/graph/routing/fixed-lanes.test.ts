import { expect, it } from 'vitest'
import { fixedNumbers } from '@/test/fixed-numbers'
import type { Card } from './card-grid'
import { lanesOf } from './lanes'
import type { Wire } from './wire'

/** Cards in columns of four, and edges that pass one or two columns; a fixed sequence of numbers places them. */
function flowOf(columns: number, edges: number, start: number): { cards: Card[]; wires: Wire[] } {
  const next = fixedNumbers(start)
  const cards = Array.from({ length: 4 * columns }, (_, at): Card => {
    const [column, row] = [Math.floor(at / 4), at % 4]
    const height = 100 + 40 * next(4)
    return { id: `n${at}`, x: column * 340 + 10 * next(3), y: row * 290 + 10 * next(6), width: 232, height }
  })
  const wires = Array.from({ length: edges }, (_, at): Wire => {
    const column = next(columns - 2)
    const source = cards[4 * column + next(4)] as Card
    const target = cards[4 * Math.min(columns - 1, column + 2 + next(2)) + next(4)] as Card
    const port = `${source.id}.${next(2)}`
    return {
      ...{ id: `e${at}`, port, source: source.id, target: target.id },
      from: { x: source.x + 232, y: source.y + 52 + 24 * Number(port.at(-1)) },
      to: { x: target.x, y: target.y + 52 + 24 * next(2) },
    }
  })
  return { cards, wires }
}

/** These lanes are kept in every version, so that a flow looks the same whenever it is opened. */
it.each<[number, number, number, Record<string, string>]>([
  [
    3,
    6,
    1,
    {
      e5: '253,102 264,102 338,212 604,212',
      e3: '253,102 264,102 338,212 604,212 668,686 679,686',
      e0: '253,126 264,126 338,8 604,8',
      e1: '253,676 264,676 338,588 604,588 668,352 684,352',
      e2: '253,952 264,952 338,908 604,908 668,376 684,376',
      e4: '253,126 264,126 338,8 604,8',
    },
  ],
  [
    4,
    9,
    2,
    {
      e3: '328,112 604,112',
      e1: '328,126 604,126 678,932 689,932',
      e5: '588,376 604,376 678,512 944,512',
      e8: '678,8 944,8',
      e0: '593,706 604,706 678,618 944,618 1008,376 1024,376',
      e6: '593,682 604,682 678,604 944,604 1008,376 1024,376',
      e2: '248,946 264,946 328,898 604,898 678,396 689,396',
      e7: '328,112 604,112 678,212 944,212 1008,352 1024,352',
      e4: '248,706 264,706 328,618 604,618 678,590 944,590 1008,116 1024,116',
    },
  ],
  [
    5,
    14,
    3,
    {
      e12: '1008,152 1284,152',
      e2: '1008,166 1284,166',
      e11: '328,562 594,562',
      e7: '1008,564 1284,564 1348,72 1359,72',
      e9: '1008,152 1284,152 1348,72 1359,72',
      e3: '328,318 594,318 678,106 689,106',
      e1: '583,966 594,966 678,878 944,878 1008,666 1019,666',
      e13: '583,942 594,942 678,864 944,864 1008,642 1019,642',
      e4: '583,642 594,642 678,608 944,608 1008,666 1019,666',
      e5: '248,126 264,126 328,242 594,242 678,696 689,696',
      e8: '328,878 594,878 678,850 944,850 1008,666 1019,666',
      e10: '583,666 594,666 678,594 944,594 1008,578 1284,578',
      e6: '583,642 594,642 678,772 944,772 1008,822 1284,822',
      e0: '248,652 264,652 328,578 944,578 1008,666 1019,666',
    },
  ],
])(
  'a flow of %d columns of cards and %d edges, chosen by sequence %d, keeps its lanes',
  (columns, edges, start, lanes) => {
    const { cards, wires } = flowOf(columns, edges, start)
    const found = [...lanesOf(cards, wires)].map(([id, points]) => [
      id,
      points.map(({ x, y }) => `${Math.round(x)},${Math.round(y)}`).join(' '),
    ])
    expect(Object.fromEntries(found)).toEqual(lanes)
  },
)
