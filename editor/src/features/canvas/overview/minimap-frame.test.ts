import { describe, expect, it } from 'vitest'
import { around, type Box, frameOf, placed, visibleBox } from './minimap-frame'

const SIZE = { width: 148, height: 96 }
const flow: Box = { x: -300, y: 100, width: 4000, height: 900 }

const isInside = ({ x, y, width, height }: Box) =>
  x >= 0 && y >= 0 && x + width <= SIZE.width && y + height <= SIZE.height

describe('frameOf', () => {
  it('shows all cards and the visible part, also where nothing is', () => {
    const visible = visibleBox({ transform: [-9000, 200, 0.5], width: 1440, height: 900 })
    const frame = frameOf(flow, visible, SIZE)
    expect(isInside(placed(flow, frame))).toBe(true)
    expect(isInside(placed(visible, frame))).toBe(true)
  })

  it('keeps the proportions and stands in the middle', () => {
    const block = placed(flow, frameOf(flow, { x: 0, y: 200, width: 10, height: 10 }, SIZE))
    expect(block.width / block.height).toBeCloseTo(flow.width / flow.height)
    expect(block.x + block.width / 2).toBeCloseTo(SIZE.width / 2)
    expect(block.y + block.height / 2).toBeCloseTo(SIZE.height / 2)
  })

  it('shows the visible part of a flow without cards', () => {
    const visible = { x: 20, y: 30, width: 400, height: 300 }
    expect(isInside(placed(visible, frameOf(null, visible, SIZE)))).toBe(true)
  })
})

describe('around', () => {
  it('holds both boxes', () => {
    expect(around({ x: 0, y: 0, width: 10, height: 10 }, { x: -5, y: 4, width: 5, height: 20 })).toEqual({
      x: -5,
      y: 0,
      width: 15,
      height: 24,
    })
  })
})
