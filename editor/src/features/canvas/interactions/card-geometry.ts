import { Position } from '@xyflow/react'
import { portY } from '@/graph/card-size'
import type { Port } from '@/graph/ports'

export const PORT_SIZE = 13

/** Port positions for React Flow, so that edges can be drawn to cards that have not been rendered. */
export function handlesOf(inputs: readonly Port[], outputs: readonly Port[], width: number) {
  const half = PORT_SIZE / 2
  const place = (at: number) => ({ y: portY(at) - half, width: PORT_SIZE, height: PORT_SIZE })
  return [
    ...inputs.map((port, at) => ({
      id: port.name,
      type: 'target' as const,
      position: Position.Left,
      x: -half,
      ...place(at),
    })),
    ...outputs.map((port, at) => ({
      id: port.name,
      type: 'source' as const,
      position: Position.Right,
      x: width - half,
      ...place(at),
    })),
  ]
}
