/** Enough pixels for whole percents. */
const SIDE = 128

/** How much of a mask is masked, in whole percent; less than one is 1 and more than 99 is 99. */
export async function maskedPercent(bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const bitmap = await createImageBitmap(new Blob([bytes]), {
    resizeWidth: SIDE,
    resizeHeight: SIDE,
    resizeQuality: 'medium',
  })
  const context = new OffscreenCanvas(SIDE, SIDE).getContext('2d')
  if (!context) throw new Error('The browser draws no images.')
  context.drawImage(bitmap, 0, 0)
  bitmap.close()
  return percentOf(context.getImageData(0, 0, SIDE, SIDE).data)
}

/** The same of the pixels of a grey image, four bytes each. */
export function percentOf(pixels: Uint8ClampedArray): number {
  let sum = 0
  for (let at = 0; at < pixels.length; at += 4) sum += pixels[at] ?? 0
  const share = (sum / 255 / (pixels.length / 4)) * 100
  if (share === 0 || share === 100) return share
  return Math.min(99, Math.max(1, Math.round(share)))
}
