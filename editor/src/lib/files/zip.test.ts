import { describe, expect, it } from 'vitest'
import { crc32, withUniqueNames, zip, zipBatches } from './zip'

// @vitest-environment jsdom

const bytes = (text: string) => new TextEncoder().encode(text)

describe('a zip', () => {
  it('computes the standard CRC-32', () => expect(crc32(bytes('123456789'))).toBe(0xcbf43926))

  it('stores each file at the offset of its directory entry', async () => {
    const entries = [
      { name: 'héro.png', data: bytes('picture') },
      { name: 'voice.wav', data: bytes('sound!') },
    ]
    const view = new DataView(await readAll(zip(entries, new Date(2026, 10, 21, 4, 30))))
    const end = view.byteLength - 22
    expect(view.getUint32(end, true)).toBe(0x06054b50)
    expect(view.getUint16(end + 10, true)).toBe(2)
    let at = view.getUint32(end + 16, true)
    for (const { data } of entries) {
      expect(view.getUint32(at, true)).toBe(0x02014b50)
      const nameLength = view.getUint16(at + 28, true)
      const local = view.getUint32(at + 42, true)
      expect(view.getUint32(local, true)).toBe(0x04034b50)
      const start = local + 30 + view.getUint16(local + 26, true)
      expect([...new Uint8Array(view.buffer, start, data.length)]).toEqual([...data])
      expect(view.getUint32(at + 16, true)).toBe(crc32(data))
      at += 46 + nameLength
    }
    expect(at).toBe(end)
  })

  it('makes file names unique', () => {
    const same = [
      { name: 'hero.png', data: bytes('1') },
      { name: 'hero.png', data: bytes('2') },
    ]
    expect(withUniqueNames(same).map(({ name }) => name)).toEqual(['hero.png', 'hero-2.png'])
  })
})

function readAll(blob: Blob): Promise<ArrayBuffer> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as ArrayBuffer)
    reader.onerror = () => reject(reader.error)
    reader.readAsArrayBuffer(blob)
  })
}

const sizes = (...bytes: number[]) =>
  zipBatches(
    bytes.map((size) => ({ bytes: size })),
    10,
  )
const sums = (...bytes: number[]) => sizes(...bytes).map((parcel) => parcel.map((item) => item.bytes))

it('fills batches in order', () => {
  expect(sums(4, 4, 2, 1)).toEqual([[4, 4, 2], [1]])
  expect(sums(5, 6, 5, 4)).toEqual([[5], [6], [5, 4]])
})

it('puts a file larger than a batch in a batch of its own', () =>
  expect(sums(1, 30, 2)).toEqual([[1], [30], [2]]))

it('makes no batch of no files', () => expect(sums()).toEqual([]))
