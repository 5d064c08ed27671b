/** The frame of a crop, in whole pixels of the image. */
export type CropBox = { x: number; y: number; width: number; height: number }
export type ImageSize = { width: number; height: number }

/** The smallest side that the server accepts. */
export const MIN_SIDE = 16

/** The largest frame of a ratio (width to height), centered; the whole image without a ratio. */
export function fitBox(size: ImageSize, ratio: number | null): CropBox {
  if (ratio === null) return { x: 0, y: 0, ...size }
  const width = Math.max(1, Math.min(size.width, Math.round(size.height * ratio)))
  const height = Math.max(1, Math.min(size.height, Math.round(width / ratio)))
  return {
    x: Math.floor((size.width - width) / 2),
    y: Math.floor((size.height - height) / 2),
    width,
    height,
  }
}

/** The frame moved by pixels, within the image. */
export function moveBox(box: CropBox, size: ImageSize, right: number, down: number): CropBox {
  return {
    ...box,
    x: clamp(Math.round(box.x + right), 0, size.width - box.width),
    y: clamp(Math.round(box.y + down), 0, size.height - box.height),
  }
}

/** The frame with its lower right corner moved, within the image; with a ratio the larger change decides. */
export function resizeBox(
  box: CropBox,
  size: ImageSize,
  { wider, higher, ratio }: { wider: number; higher: number; ratio: number | null },
): CropBox {
  const room = { width: size.width - box.x, height: size.height - box.y }
  if (ratio === null) {
    return {
      ...box,
      width: clamp(Math.round(box.width + wider), MIN_SIDE, room.width),
      height: clamp(Math.round(box.height + higher), MIN_SIDE, room.height),
    }
  }
  const change = Math.abs(wider) >= Math.abs(higher * ratio) ? wider : higher * ratio
  const smallest = MIN_SIDE * Math.max(1, ratio)
  const width = clamp(box.width + change, smallest, Math.min(room.width, room.height * ratio))
  return { ...box, width: Math.round(width), height: Math.min(room.height, Math.round(width / ratio)) }
}

/** The frame with one number typed; the others give way where the image ends. */
export function withSide(
  box: CropBox,
  size: ImageSize,
  side: keyof CropBox,
  value: number,
  ratio: number | null,
): CropBox {
  if (!Number.isFinite(value)) return box
  if (side === 'x') return moveBox(box, size, value - box.x, 0)
  if (side === 'y') return moveBox(box, size, 0, value - box.y)
  const change = side === 'width' ? value - box.width : value - box.height
  return resizeBox(box, size, {
    wider: side === 'width' ? change : 0,
    higher: side === 'height' ? change : 0,
    ratio,
  })
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(Math.min(low, high), Math.min(high, value))
}
