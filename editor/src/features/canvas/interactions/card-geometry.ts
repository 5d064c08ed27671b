import { Position } from '@xyflow/react'
import type { Port } from '@/graph/ports'

export const CARD_WIDTH = 232
const PORT_SIZE = 13
const FIRST_PORT = 50
const PORT_STEP = 26

/** The vertical center of a card's nth port, from the top of the card. */
export function portY(at: number): number {
  return FIRST_PORT + at * PORT_STEP
}

/** The minimum height of a card for its number of ports. */
export function cardMinHeight(inputs: number, outputs: number): number {
  return portY(Math.max(inputs, outputs, 1) - 1) + PORT_STEP
}

/** Port positions for React Flow, so that edges can be drawn to cards that have not been rendered. */
export function handlesOf(inputs: readonly Port[], outputs: readonly Port[]) {
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
      x: CARD_WIDTH - half,
      ...place(at),
    })),
  ]
}
