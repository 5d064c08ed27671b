/** Positions of uncropped images: flush rows, or a large first image beside the others. */

export type Box = { x: number; y: number; width: number; height: number }
export type Layout = { boxes: Box[]; height: number }

export const GAP = 14
const ROW_HEIGHT = 290
const MAX_HEIGHT = 560
const MAX_BESIDE_HERO = 4
const NARROW_WIDTH = 640

/** Lays out images of these aspect ratios (width over height) in a page of this width. */
export function layOutImages(ratios: readonly number[], width: number): Layout {
  if (ratios.length === 0 || width <= 0) return { boxes: [], height: 0 }
  if (ratios.length === 1) return single(ratios[0] ?? 1, width)
  if (width >= NARROW_WIDTH && ratios.length <= MAX_BESIDE_HERO + 1) {
    const layout = withHero(ratios, width)
    if (layout.height <= MAX_HEIGHT && layout.height >= ROW_HEIGHT * 0.9) return layout
  }
  return inRows(ratios, width)
}

/** A single image is as wide as the page, up to a maximum height. */
function single(ratio: number, width: number): Layout {
  const height = Math.min(width / ratio, MAX_HEIGHT)
  return { boxes: [{ x: 0, y: 0, width: height * ratio, height }], height }
}

/** A large first image with the others in rows beside it, at the width that makes both sides equally tall. */
function withHero([hero = 1, ...others]: readonly number[], width: number): Layout {
  const rows = others.length <= 2 ? others.map((ratio) => [ratio]) : halves(others)
  const sums = rows.map((row) => row.reduce((sum, ratio) => sum + ratio, 0))
  // The height of the rows is linear in their width: slope * beside + fixed.
  const slope = sums.reduce((total, sum) => total + 1 / sum, 0)
  const gaps = rows.reduce((total, row, index) => total + (GAP * (row.length - 1)) / (sums[index] ?? 1), 0)
  const fixed = GAP * (rows.length - 1) - gaps
  const beside = ((width - GAP) / hero - fixed) / (slope + 1 / hero)
  const large = width - GAP - beside
  const height = large / hero
  const small = stack(rows, beside)
  const boxes = small.boxes.map((box) => ({ ...box, x: box.x + large + GAP }))
  return { boxes: [{ x: 0, y: 0, width: large, height }, ...boxes], height }
}

function halves(ratios: readonly number[]): number[][] {
  const middle = Math.ceil(ratios.length / 2)
  return [ratios.slice(0, middle), ratios.slice(middle)]
}

/** The number of flush rows nearest to the desired height, each with about the same sum of aspect ratios. */
function inRows(ratios: readonly number[], width: number): Layout {
  const total = ratios.reduce((sum, ratio) => sum + ratio, 0)
  const wished = width < NARROW_WIDTH ? width * 0.62 : ROW_HEIGHT
  const count = Math.min(ratios.length, Math.max(1, Math.round((total * wished) / width)))
  const rows: number[][] = Array.from({ length: count }, () => [])
  let [passed, row] = [0, 0]
  for (const [index, ratio] of ratios.entries()) {
    const left = ratios.length - index
    const full = passed + ratio / 2 > (total * (row + 1)) / count
    if (row < count - 1 && (rows[row]?.length ?? 0) > 0 && (full || left <= count - 1 - row)) row += 1
    rows[row]?.push(ratio)
    passed += ratio
  }
  return stack(rows, width)
}

/** Rows below one another, each at the height that makes it flush. */
function stack(rows: readonly (readonly number[])[], width: number): Layout {
  const boxes: Box[] = []
  let y = 0
  for (const row of rows) {
    const sum = row.reduce((total, ratio) => total + ratio, 0)
    const height = Math.min((width - GAP * (row.length - 1)) / sum, MAX_HEIGHT)
    let x = 0
    for (const ratio of row) {
      boxes.push({ x, y, width: height * ratio, height })
      x += height * ratio + GAP
    }
    y += height + GAP
  }
  return { boxes, height: Math.max(0, y - GAP) }
}
