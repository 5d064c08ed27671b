import { describe, expect, it } from 'vitest'
import { extentOf, pointOn } from '@/graph/routing/edge-path'
import type { CanvasEdge, CanvasNode } from '../interactions/canvas-elements'
import { type EdgeLine, edgeLineAt, edgeLinesOf, linesByColor } from './edge-lines'

const handle = (type: 'source' | 'target', y: number) => ({ id: 'it', type, x: 0, y, width: 12, height: 12 })
const node = (id: string, x: number, y: number) =>
  ({
    id,
    position: { x, y },
    handles: [handle('source', 44), handle('target', 70)],
  }) as unknown as CanvasNode
const edge = (source: string, target: string, type: string) =>
  ({ source, sourceHandle: 'it', target, targetHandle: 'it', data: { type } }) as unknown as CanvasEdge

describe('edgeLinesOf', () => {
  it('goes from the right side of one card to the left of the other, at the height of their ports', () => {
    const edgeLines = edgeLinesOf([node('a', 0, 0), node('b', 400, 100)], [edge('a', 'b', 'Image')])
    expect(linesByColor(edgeLines).get('vermilion')).toEqual(edgeLines)
    expect(edgeLines[0]?.path).toEqual([
      { x: 232, y: 50 },
      { x: 400, y: 176 },
    ])
  })

  it('leaves out edges with a missing end', () => {
    expect(edgeLinesOf([node('a', 0, 0)], [edge('a', 'gone', 'Text')])).toEqual([])
  })
})

describe('edgeLineAt', () => {
  const edgeLine = (id: string, [x1, y1, x2, y2]: readonly [number, number, number, number]): EdgeLine => {
    const path = [
      { x: x1, y: y1 },
      { x: x2, y: y2 },
    ]
    return { id, color: 'cobalt', path, extent: extentOf(path) }
  }
  const falling = edgeLine('falling', [0, 0, 1000, 2000])
  const back = edgeLine('back', [1000, 0, 0, 0])
  const level = edgeLine('level', [0, 500, 1000, 500])

  it('finds the nearest line within reach, anywhere along it', () => {
    for (let share = 0; share <= 1; share += 0.05) {
      expect(edgeLineAt(pointOn(falling.path, share), [falling, back], 8)?.id).toBe('falling')
    }
    expect(edgeLineAt({ x: 30, y: 504 }, [falling, level], 40)?.id).toBe('level')
  })

  it('finds a line whose curve goes beyond its ends', () => {
    const [out] = [0.9, 0.95, 0.98].map((share) => pointOn(back.path, share)).filter(({ x }) => x < 0)
    expect(out).toBeDefined()
    expect(edgeLineAt(out ?? { x: 0, y: 0 }, [back], 8)?.id).toBe('back')
  })

  it('finds nothing away from all lines', () => {
    expect(edgeLineAt({ x: 500, y: 700 }, [falling, level, back], 40)).toBeNull()
  })
})
