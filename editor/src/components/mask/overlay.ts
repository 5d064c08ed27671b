import type { Rect, Size } from './raster'

export type Color = readonly [red: number, green: number, blue: number]

const STRENGTH = 0.62
const LIGHTER = 0.45
/** About how many stripes there are along the longer side. */
const STRIPES = 48

/** Shows a mask as a colour over the image. Stripes tell it from an image of the same colour. */
export class Overlay {
  readonly canvas = document.createElement('canvas')
  readonly #context: CanvasRenderingContext2D
  readonly #image: ImageData
  readonly #pixels: Uint32Array
  readonly #stripe: number
  readonly #dark: Uint32Array
  readonly #light: Uint32Array

  constructor(size: Size, color: Color) {
    this.canvas.width = size.width
    this.canvas.height = size.height
    const context = this.canvas.getContext('2d', { willReadFrequently: true })
    if (!context) throw new Error('This browser cannot draw images.')
    this.#context = context
    this.#image = context.createImageData(size.width, size.height)
    this.#pixels = new Uint32Array(this.#image.data.buffer)
    this.#stripe = 2 ** Math.max(0, Math.round(Math.log2(Math.max(size.width, size.height) / STRIPES)))
    this.#dark = shades(color)
    this.#light = shades(color.map((part) => part + (255 - part) * LIGHTER) as unknown as Color)
  }

  /** Takes over the values of `mask` in `part`. */
  update(mask: Uint8Array, part: Rect): void {
    if (part.width <= 0 || part.height <= 0) return
    const { width } = this.canvas
    for (let y = part.y; y < part.y + part.height; y += 1) {
      for (let x = part.x; x < part.x + part.width; x += 1) {
        const shade = (x + y) & this.#stripe ? this.#light : this.#dark
        this.#pixels[y * width + x] = shade[mask[y * width + x] ?? 0] ?? 0
      }
    }
    this.#context.putImageData(this.#image, 0, 0, part.x, part.y, part.width, part.height)
  }
}

/** The colour for each value of a mask, with its share of opacity. */
function shades([red, green, blue]: Color): Uint32Array {
  const bytes = new Uint8ClampedArray(256 * 4)
  for (let value = 0; value < 256; value += 1) bytes.set([red, green, blue, value * STRENGTH], 4 * value)
  return new Uint32Array(bytes.buffer)
}
