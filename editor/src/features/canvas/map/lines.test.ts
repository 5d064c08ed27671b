import { describe, expect, it } from 'vitest'
import type { SurfaceEdge } from '../surface/edges'
import type { SurfaceNode } from '../surface/nodes'
import { inSight, linesOf } from './lines'

const handle = (type: 'source' | 'target', y: number) => ({ id: 'it', type, x: 0, y, width: 12, height: 12 })
const node = (id: string, x: number, y: number) =>
  ({
    id,
    position: { x, y },
    handles: [handle('source', 44), handle('target', 70)],
  }) as unknown as SurfaceNode
const edge = (source: string, target: string, type: string) =>
  ({ source, sourceHandle: 'it', target, targetHandle: 'it', data: { type } }) as unknown as SurfaceEdge

describe('linesOf', () => {
  it('goes from the right side of one card to the left of the other, at the height of their ports', () => {
    const lines = linesOf([node('a', 0, 0), node('b', 400, 100)], [edge('a', 'b', 'Image')])
    expect(lines.get('vermilion')).toEqual([[232, 50, 400, 176]])
  })

  it('leaves out an edge of which an end is not there', () => {
    expect(linesOf([node('a', 0, 0)], [edge('a', 'gone', 'Text')]).size).toBe(0)
  })
})

describe('inSight', () => {
  const box = { left: 0, top: 0, right: 100, bottom: 100 }
  it('keeps a line that crosses the box though both its ends lie outside', () => {
    expect(inSight([-50, 50, 150, 50], box)).toBe(true)
    expect(inSight([-50, 50, -10, 50], box)).toBe(false)
    expect(inSight([10, 120, 90, 300], box)).toBe(false)
  })
})
