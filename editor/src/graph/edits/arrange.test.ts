import { describe, expect, it } from 'vitest'
import { align, bounds, distribute } from './arrange'

const box = (id: string, x: number, y: number, width = 100, height = 50) => ({ id, x, y, width, height })
const BOXES = [box('a', 0, 10), box('b', 300, -20, 40, 80), box('c', 150, 200, 60, 20)]

describe('boxes that are aligned', () => {
  it.each([
    ['left', 'x', [0, 0, 0]],
    ['right', 'x', [240, 300, 280]],
    ['centre', 'x', [120, 150, 140]],
    ['top', 'y', [-20, -20, -20]],
    ['bottom', 'y', [170, 140, 200]],
    ['middle', 'y', [75, 60, 90]],
  ] as const)('%s change only their %s', (side, axis, expected) => {
    const places = align(BOXES, side)
    expect(BOXES.map(({ id }) => places.get(id)?.[axis])).toEqual(expected)
    const other = axis === 'x' ? 'y' : 'x'
    expect(BOXES.map(({ id }) => places.get(id)?.[other])).toEqual(BOXES.map((one) => one[other]))
  })

  it('are at least two', () => {
    expect(align(BOXES.slice(0, 1), 'left').size).toBe(0)
    expect(align(BOXES.slice(0, 2), 'left').size).toBe(2)
  })
})

describe('boxes that are distributed', () => {
  it('have equal gaps between the first and the last, whatever their sizes and their order', () => {
    const across = distribute(BOXES, 'x')
    expect(['a', 'c', 'b'].map((id) => across.get(id))).toEqual([
      { x: 0, y: 10 },
      { x: 170, y: 200 },
      { x: 300, y: -20 },
    ])
    const down = distribute(BOXES, 'y')
    expect(['b', 'a', 'c'].map((id) => down.get(id))).toEqual([
      { x: 300, y: -20 },
      { x: 0, y: 105 },
      { x: 150, y: 200 },
    ])
  })

  it('are at least three', () => {
    expect(distribute(BOXES.slice(0, 2), 'x').size).toBe(0)
    expect(distribute(BOXES, 'x').size).toBe(3)
  })
})

describe('the bounds of boxes', () => {
  it('hold all of them', () => {
    expect(bounds(BOXES)).toEqual({ x: 0, y: -20, width: 340, height: 240 })
    expect(bounds([])).toEqual({ x: 0, y: 0, width: 0, height: 0 })
  })

  it('are measured from their top left corner', () => {
    expect(bounds([box('a', 5, 7), box('b', 30, 9)])).toEqual({ x: 5, y: 7, width: 125, height: 52 })
  })
})
