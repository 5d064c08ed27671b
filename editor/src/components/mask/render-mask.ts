import { greyPng } from './grey-png'
import type { Step } from './painting'
import { draw, type Size } from './raster'

/** Reads the rows `top` to `bottom` (exclusive) of an image as one byte a pixel. */
export function greyRows(image: ImageBitmap, size: Size, top: number, bottom: number): Uint8Array {
  const canvas = document.createElement('canvas')
  canvas.width = size.width
  canvas.height = bottom - top
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('This browser cannot draw images.')
  const share = image.height / size.height
  context.drawImage(
    image,
    0,
    top * share,
    image.width,
    (bottom - top) * share,
    0,
    0,
    size.width,
    bottom - top,
  )
  const { data } = context.getImageData(0, 0, size.width, bottom - top)
  const grey = new Uint8Array(data.length / 4)
  for (let at = 0; at < grey.length; at += 1) grey[at] = data[4 * at] ?? 0
  return grey
}

/** The mask as an 8-bit greyscale PNG of the image's own size. `base` is the mask that the painting started from. */
export function renderMask(
  size: Size,
  steps: readonly Step[],
  base: ImageBitmap | null,
  signal?: AbortSignal,
): Promise<Blob> {
  const rowsOf = (top: number, bottom: number) => {
    const data = base ? greyRows(base, size, top, bottom) : new Uint8Array(size.width * (bottom - top))
    const rows = { data, width: size.width, top, bottom, scale: 1 }
    for (const step of steps) draw(rows, step)
    return data
  }
  return greyPng(size, rowsOf, signal)
}
