import { spaced } from './spacing'
import type { Run } from './wire'

/** The distance between lanes in one strip, as far as there is room. */
const LANE = 14

/**
 * Gives lanes of different ports in one strip heights of their own, in the order in which their edges come and go.
 * Edges of one port share a lane. A lane stays at the height of the column before where it was straight.
 */
export function separated(routes: readonly (readonly Run[])[]): void {
  const wanted = new Map(routes.flat().map((run) => [run, run.y]))
  for (const stops of stripsFromLeft(routes)) {
    for (const stop of stops) {
      const { before, run } = stop
      if (before && wanted.get(before) === wanted.get(run)) stop.wanted = before.y
    }
    placeLanes(stops)
  }
}

interface Stop {
  readonly run: Run
  readonly before: Run | null
  readonly next: Run | null
  wanted: number
}

function stripsFromLeft(routes: readonly (readonly Run[])[]): Stop[][] {
  const strips = new Map<string, { left: number; stops: Stop[] }>()
  for (const runs of routes) {
    for (const [at, run] of runs.entries()) {
      const stop = { run, before: runs[at - 1] ?? null, next: runs[at + 1] ?? null, wanted: run.y }
      const strip = strips.get(run.strip) ?? { left: run.left, stops: [] }
      strip.left = Math.min(strip.left, run.left)
      strip.stops.push(stop)
      strips.set(run.strip, strip)
    }
  }
  return [...strips.values()].sort((one, other) => one.left - other.left).map(({ stops }) => stops)
}

function placeLanes(stops: readonly Stop[]): void {
  const low = Math.max(...stops.map(({ run }) => run.low))
  const high = Math.min(...stops.map(({ run }) => run.high))
  if (low > high) return
  const lanes = [...byPort(stops).values()].map((own) => ({
    own,
    wanted: mean(own.map((stop) => stop.wanted)),
    slope: mean(own.map(slopeOf)),
  }))
  lanes.sort((one, other) => one.wanted - other.wanted || one.slope - other.slope)
  const gap = Math.min(LANE, (high - low) / Math.max(1, lanes.length - 1))
  const places = spaced(
    lanes.map((lane) => lane.wanted),
    lanes.map(() => gap),
  )
  // A shift of the ends keeps the distances, since all lanes fit between the cards.
  for (const [at, { own }] of lanes.entries()) {
    const least = low + at * gap
    const most = high - (lanes.length - 1 - at) * gap
    const y = Math.min(most, Math.max(least, places[at] as number))
    for (const { run } of own) run.y = y
  }
}

function byPort(stops: readonly Stop[]): Map<string, Stop[]> {
  const lanes = new Map<string, Stop[]>()
  for (const stop of stops) {
    const own = lanes.get(stop.run.wire.port)
    if (own) own.push(stop)
    else lanes.set(stop.run.wire.port, [stop])
  }
  return lanes
}

/** Where the edge comes from and goes to: of two lanes at one height, the one that comes from above is above. */
function slopeOf({ run, before, next }: Stop): number {
  return (before?.y ?? run.wire.from.y) + (next?.y ?? run.wire.to.y)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
