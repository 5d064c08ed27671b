import type { Step, Stroke } from './painting'

export type Size = { readonly width: number; readonly height: number }
export type Rect = Size & { readonly x: number; readonly y: number }

/**
 * Rows `top` to `bottom` (exclusive) of a mask, one byte a pixel: 0 is kept, 255 is changed. `scale` is the number of
 * its pixels per pixel of the image.
 */
export type Rows = {
  readonly data: Uint8Array
  readonly width: number
  readonly top: number
  readonly bottom: number
  readonly scale: number
}

/** Carries out one step on some rows. Rows that are drawn apart equal those that are drawn together. */
export function draw(rows: Rows, step: Step): void {
  if (step.kind === 'clear') rows.data.fill(0)
  else if (step.kind === 'invert') invert(rows.data)
  else {
    const { points } = step
    for (let at = 0; at < points.length; at += 2) {
      const before = Math.max(0, at - 2)
      drawLine(rows, step, points[before] ?? 0, points[before + 1] ?? 0, points[at] ?? 0, points[at + 1] ?? 0)
    }
  }
}

function invert(data: Uint8Array): void {
  for (let at = 0; at < data.length; at += 1) data[at] = 255 - (data[at] ?? 0)
}

type Brush = Pick<Stroke, 'tool' | 'radius' | 'hardness'>

/**
 * Draws one straight line of a stroke and returns the pixels it may have changed. A stroke never adds up where it
 * crosses itself: painting keeps the higher value, erasing the lower.
 */
export function drawLine(rows: Rows, brush: Brush, x0: number, y0: number, x1: number, y1: number): Rect {
  const { width, top, bottom, scale } = rows
  const [ax, ay, bx, by] = [x0 * scale, y0 * scale, x1 * scale, y1 * scale]
  const radius = Math.max(0.5, brush.radius * scale)
  // The edge is at least one pixel wide, so that a sharp one is smooth too.
  const outer = radius + 0.5
  const inner = Math.max(0, Math.min(radius * brush.hardness, radius - 0.5))
  const first = Math.max(top, Math.floor(Math.min(ay, by) - outer))
  const last = Math.min(bottom, Math.ceil(Math.max(ay, by) + outer))
  const band = { line: { ax, ay, dx: bx - ax, dy: by - ay }, outer, inner, isErasing: brush.tool === 'erase' }
  for (let y = first; y < last; y += 1) drawRow(rows, band, y)
  const left = Math.max(0, Math.floor(Math.min(ax, bx) - outer))
  const right = Math.min(width, Math.ceil(Math.max(ax, bx) + outer))
  return { x: left, y: first, width: Math.max(0, right - left), height: Math.max(0, last - first) }
}

/** A line with its width: full up to `inner`, falling to nothing at `outer`. */
type Band = {
  readonly line: Line
  readonly outer: number
  readonly inner: number
  readonly isErasing: boolean
}

function drawRow(rows: Rows, band: Band, y: number): void {
  const { from, to } = columnsAt(band.line, band.outer, y, 0, rows.width)
  const core = band.inner > 0 ? columnsAt(band.line, band.inner, y, from, to) : { from: to, to }
  const row = (y - rows.top) * rows.width
  drawEdge(rows.data, row, band, y, from, core.from)
  rows.data.fill(band.isErasing ? 0 : 255, row + core.from, row + core.to)
  drawEdge(rows.data, row, band, y, core.to, to)
}

function drawEdge(data: Uint8Array, row: number, band: Band, y: number, from: number, to: number): void {
  const { line, outer, inner, isErasing } = band
  const steep = 255 / (outer - inner)
  for (let x = from; x < to; x += 1) {
    const value = Math.round(Math.min(255, Math.max(0, (outer - distance(line, x + 0.5, y + 0.5)) * steep)))
    const now = data[row + x] ?? 0
    data[row + x] = isErasing ? Math.min(now, 255 - value) : Math.max(now, value)
  }
}

/** The pixels of a row, within `low` to `high`, whose centre is within `radius` of a line. */
function columnsAt(line: Line, radius: number, y: number, low: number, high: number) {
  const span = spanAt(line, radius, y + 0.5)
  if (!span) return { from: high, to: high }
  const from = Math.min(high, Math.max(low, Math.ceil(span.from - 0.5)))
  return { from, to: Math.min(high, Math.max(from, Math.floor(span.to - 0.5) + 1)) }
}

type Line = { readonly ax: number; readonly ay: number; readonly dx: number; readonly dy: number }

function distance({ ax, ay, dx, dy }: Line, x: number, y: number): number {
  const length = dx * dx + dy * dy
  const part = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length))
  const [right, down] = [x - ax - part * dx, y - ay - part * dy]
  return Math.sqrt(right * right + down * down)
}

/** Where a horizontal line at `y` meets all points within `radius` of a line: two round ends and a box between them. */
function spanAt({ ax, ay, dx, dy }: Line, radius: number, y: number): { from: number; to: number } | null {
  let from = Number.POSITIVE_INFINITY
  let to = Number.NEGATIVE_INFINITY
  const add = (low: number, high: number) => {
    if (low < from) from = low
    if (high > to) to = high
  }
  const end = (x: number, down: number) => {
    const half = radius * radius - down * down
    if (half >= 0) add(x - Math.sqrt(half), x + Math.sqrt(half))
  }
  end(ax, y - ay)
  end(ax + dx, y - ay - dy)
  const length = Math.hypot(dx, dy)
  if (length > 0) {
    const [right, down] = [(-dy / length) * radius, (dx / length) * radius]
    for (const side of [1, -1]) {
      const [x, start] = [ax + side * right, ay + side * down]
      const part = (y - start) / dy
      if (dy !== 0 && part >= 0 && part <= 1) add(x + part * dx, x + part * dx)
    }
    for (const [x, middle] of [
      [ax, ay],
      [ax + dx, ay + dy],
    ] as const) {
      const part = (y - middle) / down
      if (down !== 0 && part >= -1 && part <= 1) add(x + part * right, x + part * right)
    }
  }
  return to >= from ? { from, to } : null
}

const STEPS_PER_COPY = 8
const MAX_COPIES = 5

/** A mask at the size it is painted at. Copies of earlier states keep undoing short; their number is bounded. */
export class Raster {
  readonly rows: Rows
  #shown: readonly Step[] = []
  #isAhead = false
  #copies: { readonly steps: readonly Step[]; readonly data: Uint8Array }[] = []

  constructor(
    readonly size: Size,
    scale: number,
    /** The mask that the painting starts from; without one, nothing is changed. */
    readonly base: Uint8Array | null = null,
  ) {
    const data = base ? base.slice() : new Uint8Array(size.width * size.height)
    this.rows = { data, width: size.width, top: 0, bottom: size.height, scale }
  }

  /** Draws a part of a stroke that is not yet a step. */
  drawAhead(brush: Brush, x0: number, y0: number, x1: number, y1: number): Rect {
    this.#isAhead = true
    return drawLine(this.rows, brush, x0, y0, x1, y1)
  }

  /** Takes what was drawn ahead as the last of `steps`. */
  keep(steps: readonly Step[]): void {
    this.#isAhead = false
    this.#shown = steps
    this.#copy()
  }

  /** Shows exactly these steps; returns whether anything had to be drawn. */
  show(steps: readonly Step[]): boolean {
    const isSame = steps.length === this.#shown.length && startsWith(steps, this.#shown)
    if (!this.#isAhead && isSame) return false
    if (this.#isAhead || !startsWith(steps, this.#shown)) this.#restore(steps)
    for (let at = this.#shown.length; at < steps.length; at += 1) {
      draw(this.rows, steps[at] as Step)
      this.#shown = steps.slice(0, at + 1)
      this.#copy()
    }
    this.#shown = steps
    this.#isAhead = false
    return true
  }

  /** Whether the mask changes nothing. */
  get isEmpty(): boolean {
    const { data } = this.rows
    for (let at = 0; at < data.length; at += 1) if (data[at]) return false
    return true
  }

  #restore(steps: readonly Step[]): void {
    this.#copies = this.#copies.filter((copy) => startsWith(steps, copy.steps))
    const copy = this.#copies.at(-1)
    const { data } = this.rows
    if (copy) data.set(copy.data)
    else if (this.base) data.set(this.base)
    else data.fill(0)
    this.#shown = copy?.steps ?? []
  }

  #copy(): void {
    const steps = this.#shown
    if (steps.length % STEPS_PER_COPY !== 0 || steps.length === 0) return
    this.#copies = [...this.#copies, { steps, data: this.rows.data.slice() }].slice(-MAX_COPIES)
  }
}

function startsWith(steps: readonly Step[], start: readonly Step[]): boolean {
  const last = start.length - 1
  // Each step is an object of its own: equal last steps at the same place have equal steps before them.
  return start.length <= steps.length && (last < 0 || steps[last] === start[last])
}
