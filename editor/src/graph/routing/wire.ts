import type { Point } from '../document'

/** An edge between two cards, with the points where its ports are. */
export interface Wire {
  readonly id: string
  /** The port that it comes from: edges of one port share their lanes. */
  readonly port: string
  readonly source: string
  readonly target: string
  readonly from: Point
  readonly to: Point
}

/** A free strip between the cards of a column that an edge crosses, as high as the edge may be in it. */
export interface Run {
  readonly wire: Wire
  /** The same for all edges between these two cards. */
  readonly strip: string
  readonly left: number
  readonly right: number
  readonly low: number
  readonly high: number
  y: number
}
