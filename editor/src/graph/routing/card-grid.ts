import type { Point, Size } from '../document'

export interface Card extends Point, Size {
  readonly id: string
}

const COLUMN = 256

/** Finds the cards in an area, at a cost of the columns that the area covers and the cards found. */
export class CardGrid {
  /** From left to right. */
  private readonly columns: readonly { readonly left: number; readonly cards: readonly Card[] }[]
  private readonly widest: number
  private readonly tallest: number

  constructor(cards: readonly Card[]) {
    const columns = new Map<number, Card[]>()
    let [widest, tallest] = [0, 0]
    for (const card of cards) {
      widest = Math.max(widest, card.width)
      tallest = Math.max(tallest, card.height)
      const at = Math.floor(card.x / COLUMN)
      const column = columns.get(at)
      if (column) column.push(card)
      else columns.set(at, [card])
    }
    this.columns = [...columns]
      .map(([at, own]) => ({ left: at * COLUMN, cards: own.sort((one, other) => one.y - other.y) }))
      .sort((one, other) => one.left - other.left)
    this.widest = widest
    this.tallest = tallest
  }

  /** The cards that have a point in common with the area, in no order; at most `limit` and a column more. */
  within(left: number, right: number, top: number, bottom: number, limit = Infinity): Card[] {
    const found: Card[] = []
    const first = firstFrom(this.columns, ({ left: at }) => at, left - this.widest - COLUMN)
    for (let at = first; at < this.columns.length; at++) {
      const column = this.columns[at] as (typeof this.columns)[number]
      if (column.left > right || found.length > limit) break
      const { cards } = column
      for (let row = firstFrom(cards, ({ y }) => y, top - this.tallest); row < cards.length; row++) {
        const card = cards[row] as Card
        if (card.y > bottom) break
        if (card.y + card.height < top || card.x > right || card.x + card.width < left) continue
        found.push(card)
      }
    }
    return found
  }
}

/** The first place in a sorted list whose rank is not below `from`. */
function firstFrom<T>(sorted: readonly T[], rankOf: (one: T) => number, from: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (rankOf(sorted[middle] as T) < from) low = middle + 1
    else high = middle
  }
  return low
}
