/** A line of the brush. Lengths are in pixels of the image; `points` is x, y, x, y, ... */
export type Stroke = {
  readonly kind: 'stroke'
  readonly tool: 'paint' | 'erase'
  readonly radius: number
  /** From 0, soft from the centre on, to 1, a sharp edge. */
  readonly hardness: number
  readonly points: readonly number[]
}

/** One change of a mask. */
export type Step = Stroke | { readonly kind: 'invert' } | { readonly kind: 'clear' }

/** The steps that make a mask, and those that were undone. */
export type Painting = { readonly done: readonly Step[]; readonly undone: readonly Step[] }

export const EMPTY_PAINTING: Painting = { done: [], undone: [] }

/** Adds a step; undone ones are gone. */
export function withStep({ done }: Painting, step: Step): Painting {
  return { done: [...done, step], undone: [] }
}

export function undo(painting: Painting): Painting {
  const last = painting.done.at(-1)
  return last ? { done: painting.done.slice(0, -1), undone: [...painting.undone, last] } : painting
}

export function redo(painting: Painting): Painting {
  const next = painting.undone.at(-1)
  return next ? { done: [...painting.done, next], undone: painting.undone.slice(0, -1) } : painting
}

/** Movement that is shorter than this part of the radius does not change what a stroke looks like. */
const MIN_MOVE = 0.05

/** Whether a point is far enough from the end of a stroke to become part of it: this bounds how many it has. */
export function isFar(points: readonly number[], x: number, y: number, radius: number): boolean {
  const [lastX = Number.NaN, lastY = Number.NaN] = points.slice(-2)
  return !(Math.hypot(x - lastX, y - lastY) < Math.max(0.25, radius * MIN_MOVE))
}
