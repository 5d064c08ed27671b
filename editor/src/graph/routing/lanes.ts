import type { Point } from '../document'
import { type Card, CardGrid } from './card-grid'
import { onCurve } from './edge-path'
import { type Area, areaAround, changedCards, isSameWire, samePoints, touches } from './lane-memory'
import { separated } from './lane-order'
import type { Run, Wire } from './wire'

/** The space between a card and the edges that pass it. */
const CLEARANCE = 12
/** Cards nearer to each other than this are one column: no edge can bend between them. */
const LEAST_GUTTER = 40
/** How far beyond its ends, up or down, an edge looks for its lanes; the last is everywhere. */
const CORRIDORS = [320, 1600, Infinity] as const
/** A curve nearer to a card than this takes a lane. */
const NEAR = 6
/** The cards that are looked at for all edges of a flow. */
const WORK = 400_000
/** How exactly a place on a curve is found, as a share of the curve. */
const PRECISION = 1e-6

/** The runs of one edge, or null for a curve, and all that they depend on. */
interface Found {
  readonly wire: Wire
  readonly runs: readonly Run[] | null
  /** Where a card that comes, goes or changes may change the result. */
  readonly area: Area
  readonly work: number
}

/**
 * Finds the points of each edge whose curve would lie behind cards, between its ends: it goes through the columns of
 * cards in the free strips between them. Edges that are not in the result are curves. Only the places of the cards and
 * ports count, so that an edge follows whatever is moved.
 *
 * It remembers the last result: only edges that moved, and those near cards that changed, are routed again.
 */
export class LaneRouter {
  private cards: ReadonlyMap<string, Card> = new Map()
  private found: ReadonlyMap<string, Found> = new Map()
  private points: ReadonlyMap<string, readonly Point[]> = new Map()
  /** How many edges the last call routed. */
  routed = 0

  /** `work` limits a call: when it is used up, the longest edges remain curves. */
  constructor(private readonly work = WORK) {}

  /** Unchanged points are the same object as in the last result. */
  route(cards: readonly Card[], wires: readonly Wire[]): ReadonlyMap<string, readonly Point[]> {
    const now = new Map(cards.map((card) => [card.id, card]))
    const changes = changedCards(this.cards, now)
    const grid = new CardGrid(cards)
    const budget = { left: this.work }
    const found = new Map<string, Found>()
    const remembered = new Map<string, Found>()
    this.routed = 0
    const forward = wires.filter(({ from, to }) => to.x > from.x)
    for (const wire of forward.sort(
      (one, other) => width(one) - width(other) || (one.id < other.id ? -1 : 1),
    )) {
      if (budget.left <= 0) break
      const known = this.found.get(wire.id)
      const isKnown = known && known.work < budget.left && isSameWire(known.wire, wire)
      if (known && isKnown && !changes.some((card) => touches(known.area, card))) {
        budget.left -= known.work
        found.set(wire.id, known)
        remembered.set(wire.id, known)
        continue
      }
      this.routed += 1
      const own = routeOf(wire, grid, budget)
      found.set(wire.id, own)
      // An edge for which the work did not last may have another lane next time.
      if (budget.left > 0) remembered.set(wire.id, own)
    }
    this.cards = now
    this.found = remembered
    this.points = samePoints(this.points, pointsOfAll(found))
    return this.points
  }
}

/** The points of all edges, without a memory. */
export function lanesOf(
  cards: readonly Card[],
  wires: readonly Wire[],
): ReadonlyMap<string, readonly Point[]> {
  return new LaneRouter().route(cards, wires)
}

function routeOf(wire: Wire, grid: CardGrid, budget: Budget): Found {
  const before = budget.left
  const runs = isBehindCards(wire, grid, budget) ? runsOf(wire, grid, budget) : undefined
  const area = runs?.area ?? areaAround(wire, NEAR)
  return { wire, runs: runs?.runs ?? null, area, work: before - budget.left }
}

function pointsOfAll(found: ReadonlyMap<string, Found>): Map<string, Point[]> {
  const routes = new Map<string, Run[]>()
  // Copies, since the lanes of one strip push each other aside.
  for (const [id, { runs }] of found)
    if (runs)
      routes.set(
        id,
        runs.map((run) => ({ ...run })),
      )
  separated([...routes.values()])
  return new Map([...routes].map(([id, runs]) => [id, pointsOf(runs)]))
}

function width({ from, to }: Wire): number {
  return to.x - from.x
}

function pointsOf(runs: readonly Run[]): Point[] {
  const points: Point[] = []
  for (const [at, { left, right, y }] of runs.entries()) {
    if (runs[at - 1]?.y === y) points.pop()
    else points.push({ x: left, y })
    points.push({ x: right, y })
  }
  return points
}

type Budget = { left: number }

function isBehindCards(wire: Wire, grid: CardGrid, budget: Budget): boolean {
  const { from, to } = wire
  const { left, right, top, bottom } = areaAround(wire, NEAR)
  const near = grid.within(left, right, top, bottom, budget.left)
  budget.left -= near.length + 1
  return near.some((card) => {
    if (card.id === wire.source || card.id === wire.target) return false
    const entry = heightAt(from, to, card.x - NEAR)
    const exit = heightAt(from, to, card.x + card.width + NEAR)
    const [above, below] = [Math.min(entry, exit), Math.max(entry, exit)]
    return above <= card.y + card.height + NEAR && below >= card.y - NEAR
  })
}

/** The height of a curve at a place between its ends: forward curves never turn back. */
function heightAt(from: Point, to: Point, x: number): number {
  if (x <= from.x) return from.y
  if (x >= to.x) return to.y
  let [low, high] = [0, 1]
  while (high - low > PRECISION) {
    const middle = (low + high) / 2
    if (onCurve(from, to, middle).x < x) low = middle
    else high = middle
  }
  return onCurve(from, to, low).y
}

/** The strips that lead the edge past all cards between its ends, in this area; null if there is no room to bend. */
function runsOf(wire: Wire, grid: CardGrid, budget: Budget): { runs: Run[] | null; area: Area } {
  for (const beyond of CORRIDORS) {
    const area = areaAround(wire, beyond)
    const { top, bottom } = area
    const cards = grid.within(area.left, area.right, top, bottom, budget.left)
    budget.left -= cards.length + 1
    if (budget.left <= 0) break
    const columns = columnsOf(wire, cards)
    const strips = columns.map((column) => stripsOf(wire, column, top, bottom))
    const out = leaving(wire, cards, strips[0]?.[0]?.left ?? wire.to.x)
    const last = strips.at(-1) ?? out.at(-1)
    const runs = cheapest(wire, [
      ...out,
      ...strips,
      ...arriving(wire, cards, last?.[0]?.right ?? wire.from.x),
    ])
    if (runs) return { runs, area }
  }
  return { runs: null, area: areaAround(wire, Infinity) }
}

/** The cards between the ends of an edge, in columns with a gutter between them. */
function columnsOf({ from, to, source, target }: Wire, cards: readonly Card[]): Card[][] {
  const room = LEAST_GUTTER / 2
  const between = cards.filter(
    ({ id, x, width: wide }) =>
      id !== source && id !== target && x >= from.x + room && x + wide <= to.x - room,
  )
  const columns: { right: number; cards: Card[] }[] = []
  for (const card of between.sort((one, other) => one.x - other.x)) {
    const right = card.x + card.width
    const last = columns.at(-1)
    if (last && card.x < last.right + LEAST_GUTTER) {
      last.cards.push(card)
      last.right = Math.max(last.right, right)
    } else columns.push({ right, cards: [card] })
  }
  return columns.map((column) => column.cards)
}

/**
 * The straight run out of a column in which other cards reach farther to the right than the source. It ends where the
 * next column begins, since a card of another column may reach over both.
 */
function leaving(wire: Wire, cards: readonly Card[], next: number): Run[][] {
  const { from, to, source } = wire
  const beside = cards.filter(({ id, x, width: wide }) => id !== source && x < from.x && x + wide > from.x)
  const right = Math.max(...beside.map(({ x, width: wide }) => x + wide)) + CLEARANCE
  if (beside.length === 0 || right > to.x) return []
  const end = Math.min(right, next)
  return [straight(wire, from.y, (from.x + end) / 2, end)]
}

/** The straight run into a column in which other cards begin farther to the left than the target; see `leaving`. */
function arriving(wire: Wire, cards: readonly Card[], previous: number): Run[][] {
  const { from, to, target } = wire
  const beside = cards.filter(({ id, x, width: wide }) => id !== target && x < to.x && x + wide > to.x)
  const left = Math.min(...beside.map(({ x }) => x)) - CLEARANCE
  if (beside.length === 0 || left < from.x) return []
  const start = Math.max(left, previous)
  return [straight(wire, to.y, start, (start + to.x) / 2)]
}

function straight(wire: Wire, y: number, left: number, right: number): Run[] {
  return [{ wire, strip: `${wire.id} at ${y}`, left, right, low: y, high: y, y }]
}

/** The strips of one column from top to bottom. */
function stripsOf(wire: Wire, column: readonly Card[], top: number, bottom: number): Run[] {
  const left = Math.min(...column.map(({ x }) => x)) - CLEARANCE
  const right = Math.max(...column.map((card) => card.x + card.width)) + CLEARANCE
  const runs: Run[] = []
  let [low, above] = [top, '']
  const add = (high: number, below: string) => {
    if (high >= low) runs.push({ wire, strip: `${above}>${below}`, left, right, low, high, y: low })
  }
  for (const card of [...column].sort((one, other) => one.y - other.y)) {
    add(card.y - CLEARANCE, card.id)
    if (card.y + card.height + CLEARANCE <= low) continue
    low = card.y + card.height + CLEARANCE
    above = card.id
  }
  add(bottom, '')
  return runs
}

interface Way {
  readonly run: Run | null
  readonly y: number
  readonly cost: number
  readonly before: Way | null
}

/** What a bend costs, in pixels of detour: an edge leaves its height only for something. */
const BEND = 48
/** The ways that are followed from column to column. */
const KEPT = 6

/** One strip of each column, with the least vertical way and the fewest bends among the ways tried. */
function cheapest({ from, to }: Wire, columns: readonly (readonly Run[])[]): Run[] | null {
  let ways: readonly Way[] = [{ run: null, y: from.y, cost: 0, before: null }]
  for (const strips of columns) {
    const [first] = strips
    if (!first) return null
    const direct = heightAt(from, to, (first.left + first.right) / 2)
    ways = waysThrough(strips, ways, [to.y, direct])
      .sort((one, other) => rest(one, to) - rest(other, to))
      .slice(0, KEPT)
  }
  const runs: Run[] = []
  for (let way = ways[0]; way?.run; way = way.before ?? undefined) runs.unshift({ ...way.run, y: way.y })
  return runs.length > 0 ? runs : null
}

/** The best way into each strip of the next column that may matter. */
function waysThrough(strips: readonly Run[], ways: readonly Way[], heights: readonly number[]): Way[] {
  const best = new Map<string, Way>()
  for (const before of ways) {
    for (const run of candidates(strips, [before.y, ...heights])) {
      const y = Math.min(run.high, Math.max(run.low, before.y))
      const cost = before.cost + detour(before.y, y)
      const known = best.get(run.strip)
      if (!known || cost < known.cost) best.set(run.strip, { run, y, cost, before })
    }
  }
  return [...best.values()]
}

function rest(way: Way, to: Point): number {
  return way.cost + detour(way.y, to.y)
}

function detour(from: number, to: number): number {
  return from === to ? 0 : Math.abs(to - from) + BEND
}

/** The strips at each height, or next to it above and below. */
function candidates(strips: readonly Run[], heights: readonly number[]): Set<Run> {
  const found = new Set<Run>()
  for (const y of heights) {
    let [low, high] = [0, strips.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((strips[middle] as Run).high < y) low = middle + 1
      else high = middle
    }
    found.add(strips[low] as Run)
    if (low > 0 && (strips[low] as Run).low > y) found.add(strips[low - 1] as Run)
  }
  return found
}
