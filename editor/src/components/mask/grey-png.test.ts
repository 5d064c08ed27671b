// @vitest-environment node
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { greyPng } from './grey-png'

test('a mask is written as an 8-bit greyscale PNG of its own size', async () => {
  // More pixels than are made at a time.
  const size = { width: 1500, height: 1501 }
  const value = (x: number, y: number) => (x * 7 + y * 13) % 256
  const made: number[] = []
  const blob = await greyPng(size, (top, bottom) => {
    made.push(bottom - top)
    return Uint8Array.from({ length: size.width * (bottom - top) }, (_, at) =>
      value(at % size.width, top + Math.floor(at / size.width)),
    )
  })
  expect(blob.type).toBe('image/png')
  expect(made.length).toBeGreaterThan(1)
  const { header, pixels } = read(Buffer.from(await blob.arrayBuffer()))
  expect([header.readUInt32BE(0), header.readUInt32BE(4), ...header.subarray(8)]).toEqual([
    1500, 1501, 8, 0, 0, 0, 0,
  ])
  expect(pixels).toHaveLength(1501 * 1501)
  for (const [x, y] of [
    [0, 0],
    [1499, 1500],
    [700, 699],
  ] as const) {
    expect(pixels[y * 1501 + 1 + x]).toBe(value(x, y))
  }
})

test('an aborted mask is not written', async () => {
  const stop = new AbortController()
  const writing = greyPng(
    { width: 2048, height: 4096 },
    (top, bottom) => {
      stop.abort(new Error('closed'))
      return new Uint8Array(2048 * (bottom - top))
    },
    stop.signal,
  )
  await expect(writing).rejects.toThrow('closed')
})

/** The header and the rows of a PNG, whose checksums must be right. */
function read(file: Buffer): { header: Buffer; pixels: Buffer } {
  const data: Buffer[] = []
  let header: Buffer = Buffer.alloc(0)
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    const body = file.subarray(at + 8, at + 8 + length)
    expect(file.readUInt32BE(at + 8 + length)).toBe(checksum(file.subarray(at + 4, at + 8 + length)))
    if (type === 'IHDR') header = body
    if (type === 'IDAT') data.push(body)
    at += length + 12
  }
  return { header, pixels: inflateSync(Buffer.concat(data)) }
}

function checksum(bytes: Buffer): number {
  let value = ~0
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0)
  }
  return ~value >>> 0
}
