import type { Point } from '../document'
import type { Card } from './card-grid'
import type { Wire } from './wire'

export interface Area {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** The area between the ends of an edge, and this far beyond them, up and down. */
export function areaAround({ from, to }: Wire, beyond: number): Area {
  const [top, bottom] = [Math.min(from.y, to.y) - beyond, Math.max(from.y, to.y) + beyond]
  return { left: from.x, right: to.x, top, bottom }
}

/** Whether a card has a point in common with an area. */
export function touches({ left, right, top, bottom }: Area, { x, y, width, height }: Card): boolean {
  return x <= right && x + width >= left && y <= bottom && y + height >= top
}

/** The cards that came, went, moved or have another size: as they were and as they are. */
export function changedCards(before: ReadonlyMap<string, Card>, now: ReadonlyMap<string, Card>): Card[] {
  const gone = [...before.values()].filter((card) => !isSameCard(card, now.get(card.id)))
  const come = [...now.values()].filter((card) => !isSameCard(card, before.get(card.id)))
  return [...gone, ...come]
}

function isSameCard(one: Card, other: Card | undefined): boolean {
  if (!other || one.x !== other.x || one.y !== other.y) return false
  return one.width === other.width && one.height === other.height
}

export function isSameWire(one: Wire, other: Wire): boolean {
  if (one.port !== other.port || one.source !== other.source || one.target !== other.target) return false
  return isSamePoint(one.from, other.from) && isSamePoint(one.to, other.to)
}

function isSamePoint(one: Point, other: Point): boolean {
  return one.x === other.x && one.y === other.y
}

/** The points now, each list as the object it was before if it has not changed. */
export function samePoints(
  before: ReadonlyMap<string, readonly Point[]>,
  now: ReadonlyMap<string, readonly Point[]>,
): Map<string, readonly Point[]> {
  return new Map(
    [...now].map(([id, points]) => {
      const old = before.get(id)
      const isSame =
        old?.length === points.length && points.every((point, at) => isSamePoint(point, old[at] as Point))
      return [id, old && isSame ? old : points]
    }),
  )
}
