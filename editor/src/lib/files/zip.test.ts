import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { withUniqueNames, zip, zipBatches } from './zip'

const bytes = (text: string) => new TextEncoder().encode(text)

/** The entries of a zip, read from its directory as an unzip program does. */
function entriesOf(archive: ArrayBuffer) {
  const view = new DataView(archive)
  const end = view.byteLength - 22
  expect(view.getUint32(end, true)).toBe(0x06054b50)
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  return Array.from({ length: count }, () => {
    expect(view.getUint32(at, true)).toBe(0x02014b50)
    const [nameLength, extraLength] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true)]
    const local = view.getUint32(at + 42, true)
    expect(view.getUint32(local, true)).toBe(0x04034b50)
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    const entry = {
      name: new TextDecoder().decode(new Uint8Array(archive, at + 46, nameLength)),
      hasUtf8Name: Boolean(view.getUint16(at + 8, true) & 0x0800),
      isStored: view.getUint16(at + 10, true) === 0,
      crc: view.getUint32(at + 16, true),
      data: new Uint8Array(archive, start, view.getUint32(at + 24, true)),
    }
    at += 46 + nameLength + extraLength + view.getUint16(at + 32, true)
    return entry
  })
}

describe('a zip', () => {
  it('has content credentials beside their file, under its unique name', async () => {
    const files = [1, 2].map((take) => ({
      name: 'take.webm',
      data: bytes(`video ${take}`),
      sidecar: bytes(`signed ${take}`),
    }))
    const entries = entriesOf(await (await zip(files)).arrayBuffer())
    expect(entries.map(({ name, data }) => [name, new TextDecoder().decode(data)])).toEqual([
      ['take.webm', 'video 1'],
      ['take.webm.c2pa', 'signed 1'],
      ['take-2.webm', 'video 2'],
      ['take-2.webm.c2pa', 'signed 2'],
    ])
  })

  it('stores each file uncompressed under its name in UTF-8', async () => {
    const files = [
      { name: 'héro 新.png', data: bytes('image') },
      { name: 'voice.wav', data: bytes('audio!') },
    ]
    const archive = await zip(files)
    expect(archive.type).toBe('application/zip')
    expect(entriesOf(await archive.arrayBuffer())).toEqual(
      files.map(({ name, data }) => ({ name, data, crc: crc32(data), hasUtf8Name: true, isStored: true })),
    )
  })

  it('holds files of the same name under different names', async () => {
    const same = [
      { name: 'hero.png', data: bytes('1') },
      { name: 'hero.png', data: bytes('2') },
    ]
    const archive = await zip(same)
    expect(entriesOf(await archive.arrayBuffer()).map(({ name }) => name)).toEqual(['hero.png', 'hero-2.png'])
  })

  it('makes file names unique', () => {
    const same = [
      { name: 'hero.png', data: bytes('1') },
      { name: 'hero.png', data: bytes('2') },
    ]
    expect(withUniqueNames(same).map(({ name }) => name)).toEqual(['hero.png', 'hero-2.png'])
  })
})

const sizes = (...bytes: number[]) =>
  zipBatches(
    bytes.map((size) => ({ bytes: size })),
    10,
  )
const sums = (...bytes: number[]) => sizes(...bytes).map((batch) => batch.map((item) => item.bytes))

it('fills batches in order', () => {
  expect(sums(4, 4, 2, 1)).toEqual([[4, 4, 2], [1]])
  expect(sums(5, 6, 5, 4)).toEqual([[5], [6], [5, 4]])
})

it('puts a file larger than a batch in a batch of its own', () =>
  expect(sums(1, 30, 2)).toEqual([[1], [30], [2]]))

it('makes no batch of no files', () => expect(sums()).toEqual([]))
