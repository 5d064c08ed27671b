/** Where on a picture a label disturbs least. */

export type Corner = 'left' | 'right'

/** Lightness, row by row, 0 to 255. */
export interface Grayscale {
  width: number
  height: number
  values: ArrayLike<number>
}

/** What a label covers in a lower corner, its margins included, as shares of the picture. */
export interface LabelArea {
  width: number
  height: number
}

/** A row with more change than this from point to point has writing in it, or something as fine. */
const MAX_QUIET_STEP = 6
/** A little writing raises its corner by this much over the other; labels stay at the left otherwise. */
const MIN_DIFFERENCE = 1.5

/** The lower corner with the least going on; null where a label would lie over something in either. */
export function quietCorner(grey: Grayscale, cover: LabelArea): Corner | null {
  const wide = Math.min(1, cover.width)
  const [left, right] = [busiestRow(grey, 0, cover), busiestRow(grey, 1 - wide, cover)]
  if (Math.min(left, right) > MAX_QUIET_STEP) return null
  return right + MIN_DIFFERENCE < left ? 'right' : left <= MAX_QUIET_STEP ? 'left' : 'right'
}

/** The mean step from point to point in the busiest row that the label covers, beginning at a share of the width. */
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

/** The part of a picture that fills a frame of another shape, as `object-fit: cover` cuts it. */
export function visiblePart(picture: Size, frame: Size): Size & { x: number; y: number } {
  const scale = Math.max(frame.width / picture.width, frame.height / picture.height)
  const [width, height] = [frame.width / scale, frame.height / scale]
  return { x: (picture.width - width) / 2, y: (picture.height - height) / 2, width, height }
}

/** What is seen of a picture in its frame, small and grey. Throws where the browser keeps its points to itself. */
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
