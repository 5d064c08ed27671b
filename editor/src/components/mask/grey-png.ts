import type { Size } from './raster'

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
/** Rows are made about this many pixels at a time. */
const PIXELS_AT_A_TIME = 1 << 18

/** Makes the pixels of the rows `top` to `bottom` (exclusive), one byte each. */
export type RowsOf = (top: number, bottom: number) => Uint8Array

/**
 * Encodes an 8-bit greyscale PNG. Only some rows are in memory at a time, and the page can respond between them.
 * Throws the reason of `signal` once it is aborted.
 */
export async function greyPng(size: Size, rowsOf: RowsOf, signal?: AbortSignal): Promise<Blob> {
  const compressor = new CompressionStream('deflate')
  const reading = chunksOf(compressor.readable)
  const writer = compressor.writable.getWriter()
  const step = Math.max(1, Math.floor(PIXELS_AT_A_TIME / size.width))
  try {
    for (let top = 0; top < size.height; top += step) {
      signal?.throwIfAborted()
      const bottom = Math.min(size.height, top + step)
      await writer.write(filtered(rowsOf(top, bottom), size.width))
      await new Promise((done) => setTimeout(done))
    }
    await writer.close()
  } catch (error) {
    await writer.abort(error).catch(() => undefined)
    await reading.catch(() => undefined)
    throw error
  }
  const parts = [SIGNATURE, chunk('IHDR', header(size)), ...(await reading), chunk('IEND', new Uint8Array())]
  return new Blob(parts, { type: 'image/png' })
}

/** Each row has a byte before it that names its filter: 0 for none. */
function filtered(pixels: Uint8Array, width: number): Uint8Array<ArrayBuffer> {
  const rows = pixels.length / width
  const bytes = new Uint8Array(rows * (width + 1))
  for (let row = 0; row < rows; row += 1) {
    bytes.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1)
  }
  return bytes
}

async function chunksOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>[]> {
  const reader = stream.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return chunks
    chunks.push(chunk('IDAT', value))
  }
}

function header({ width, height }: Size): Uint8Array {
  const bytes = new Uint8Array(13)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  // 8 bits a pixel, greyscale, no interlacing.
  bytes[8] = 8
  return bytes
}

function chunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(data.length + 12)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, data.length)
  for (let at = 0; at < 4; at += 1) bytes[4 + at] = type.charCodeAt(at)
  bytes.set(data, 8)
  view.setUint32(data.length + 8, checksum(bytes.subarray(4, data.length + 8)))
  return bytes
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0)
  return value
})

function checksum(bytes: Uint8Array): number {
  let value = ~0
  for (const byte of bytes) value = (value >>> 8) ^ (CRC_TABLE[(value ^ byte) & 255] ?? 0)
  return ~value >>> 0
}
