/** Where on a picture a label disturbs least. */

export type Corner = 'left' | 'right'

/** Lightness, row by row, 0 to 255. */
export interface Grey {
  width: number
  height: number
  values: ArrayLike<number>
}

/** Of the strip along the lower edge: how high it is, and how much of it a label takes at one end. */
const STRIP = 0.13
const LABEL = 0.42
/** Above this much change from point to point there is writing, or something as fine. */
const BUSY = 14
/** A little writing changes the mean of its corner by this much; labels stay at the left otherwise. */
const MARGIN = 1

/** The lower corner with the least going on; null where a label would lie over something in either. */
export function calmCorner(grey: Grey): Corner | null {
  const [left, right] = [bustle(grey, 0), bustle(grey, 1 - LABEL)]
  const calmer = right + MARGIN < left ? 'right' : 'left'
  return Math.min(left, right) <= BUSY && (calmer === 'right' || left <= BUSY) ? calmer : null
}

/** The mean step from point to point in one end of the strip. */
function bustle({ width, height, values }: Grey, from: number): number {
  const [start, end] = [Math.floor(width * from), Math.floor(width * (from + LABEL))]
  let [sum, count] = [0, 0]
  for (let y = Math.floor(height * (1 - STRIP)); y < height; y += 1) {
    for (let x = start + 1; x < end; x += 1) {
      sum += Math.abs((values[y * width + x] ?? 0) - (values[y * width + x - 1] ?? 0))
      count += 1
    }
  }
  return count === 0 ? 0 : sum / count
}

const SIDE = 96

/** A picture that is loaded, small and grey. Throws where the browser keeps its points to itself. */
export function greyOf(image: HTMLImageElement): Grey {
  const canvas = new OffscreenCanvas(SIDE, SIDE)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  context?.drawImage(image, 0, 0, SIDE, SIDE)
  const data = context?.getImageData(0, 0, SIDE, SIDE).data ?? []
  const values = Array.from({ length: SIDE * SIDE }, (_, index) => {
    const [red = 0, green = 0, blue = 0] = [data[index * 4], data[index * 4 + 1], data[index * 4 + 2]]
    return 0.3 * red + 0.59 * green + 0.11 * blue
  })
  return { width: SIDE, height: SIDE, values }
}
