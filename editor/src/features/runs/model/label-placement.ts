/** Finds the lower corner of an image where a label covers the least detail. */

export type Corner = 'left' | 'right'

/** Lightness of each pixel, row by row, 0 to 255. */
export interface Grayscale {
  width: number
  height: number
  values: ArrayLike<number>
}

/** The area that a label covers in a lower corner with its margins, as fractions of the image. */
export interface LabelArea {
  width: number
  height: number
}

/** A row with a higher mean difference between pixels contains text or similar detail. */
const MAX_QUIET_STEP = 6
/** Minimum difference for moving the label from the left corner to the right one. */
const MIN_DIFFERENCE = 1.5

/** The lower corner with the least detail; null if a label would cover text in either. */
export function quietCorner(grey: Grayscale, cover: LabelArea): Corner | null {
  const wide = Math.min(1, cover.width)
  const [left, right] = [busiestRow(grey, 0, cover), busiestRow(grey, 1 - wide, cover)]
  if (Math.min(left, right) > MAX_QUIET_STEP) return null
  return right + MIN_DIFFERENCE < left ? 'right' : left <= MAX_QUIET_STEP ? 'left' : 'right'
}

/** The mean difference between pixels in the busiest row under the label, starting at a fraction of the width. */
function busiestRow(grey: Grayscale, from: number, cover: LabelArea): number {
  const { width, height } = grey
  const [start, end] = [Math.floor(width * from), Math.ceil(width * Math.min(1, from + cover.width))]
  let most = 0
  for (let y = Math.floor(height * Math.max(0, 1 - cover.height)); y < height; y += 1) {
    most = Math.max(most, rowStep(grey, y, start, end))
  }
  return most
}

function rowStep({ width, values }: Grayscale, y: number, start: number, end: number): number {
  let sum = 0
  for (let x = start + 1; x < end; x += 1) {
    sum += Math.abs((values[y * width + x] ?? 0) - (values[y * width + x - 1] ?? 0))
  }
  return end - start > 1 ? sum / (end - start - 1) : 0
}

const SAMPLE_SIZE = 128

export interface Size {
  width: number
  height: number
}

/** The part of an image that is visible in a frame of another aspect ratio with `object-fit: cover`. */
export function visiblePart(image: Size, frame: Size): Size & { x: number; y: number } {
  const scale = Math.max(frame.width / image.width, frame.height / image.height)
  const [width, height] = [frame.width / scale, frame.height / scale]
  return { x: (image.width - width) / 2, y: (image.height - height) / 2, width, height }
}

/** The visible part of an image, small and in grayscale. Throws if its pixels cannot be read (cross-origin). */
export function grayscaleOf(image: HTMLImageElement): Grayscale {
  const canvas = new OffscreenCanvas(SAMPLE_SIZE, SAMPLE_SIZE)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context) context.imageSmoothingQuality = 'medium'
  const natural = { width: image.naturalWidth, height: image.naturalHeight }
  const part = visiblePart(natural, { width: image.clientWidth, height: image.clientHeight })
  context?.drawImage(image, part.x, part.y, part.width, part.height, 0, 0, SAMPLE_SIZE, SAMPLE_SIZE)
  const data = context?.getImageData(0, 0, SAMPLE_SIZE, SAMPLE_SIZE).data ?? []
  const values = Array.from({ length: SAMPLE_SIZE * SAMPLE_SIZE }, (_, index) => {
    const [red = 0, green = 0, blue = 0] = [data[index * 4], data[index * 4 + 1], data[index * 4 + 2]]
    return 0.3 * red + 0.59 * green + 0.11 * blue
  })
  return { width: SAMPLE_SIZE, height: SAMPLE_SIZE, values }
}
