/** Creates a zip of files. Entries are stored uncompressed, since media is compressed already. */

export interface ZipEntry {
  name: string
  data: Uint8Array<ArrayBuffer>
}

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value >>> 0
})

export function crc32(data: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of data) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}

const UTF8_NAMES = 0x0800
const VERSION = 20

type Field = [value: number, bytes: 2 | 4]

function record(fields: Field[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(fields.reduce((total, [, bytes]) => total + bytes, 0)))
  let at = 0
  for (const [value, bytes] of fields) {
    if (bytes === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += bytes
  }
  return new Uint8Array(view.buffer)
}

function dosTime(time: Date): [time: number, date: number] {
  return [
    (time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1),
    ((time.getFullYear() - 1980) << 9) | ((time.getMonth() + 1) << 5) | time.getDate(),
  ]
}

function facts(entry: ZipEntry, name: Uint8Array, time: Date): Field[] {
  const [clock, date] = dosTime(time)
  const bytes = entry.data.length
  return [
    [VERSION, 2],
    [UTF8_NAMES, 2],
    [0, 2],
    [clock, 2],
    [date, 2],
    [crc32(entry.data), 4],
    [bytes, 4],
    [bytes, 4],
    [name.length, 2],
    [0, 2],
  ]
}

export function zip(entries: readonly ZipEntry[], time = new Date()): Blob {
  const body: Uint8Array<ArrayBuffer>[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let offset = 0
  for (const entry of withUniqueNames(entries)) {
    const name = new TextEncoder().encode(entry.name)
    const shared = facts(entry, name, time)
    const local = record([[0x04034b50, 4], ...shared])
    body.push(local, name, entry.data)
    const place: Field[] = [
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [offset, 4],
    ]
    directory.push(record([[0x02014b50, 4], [VERSION, 2], ...shared, ...place]), name)
    offset += local.length + name.length + entry.data.length
  }
  const length = directory.reduce((total, part) => total + part.length, 0)
  const count = entries.length
  const end = record([
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [count, 2],
    [count, 2],
    [length, 4],
    [offset, 4],
    [0, 2],
  ])
  return new Blob([...body, ...directory, end], { type: 'application/zip' })
}

/** Makes names unique: two files `name.png` become `name.png` and `name-2.png`. */
export function withUniqueNames(entries: readonly ZipEntry[]): ZipEntry[] {
  const taken = new Set<string>()
  return entries.map((entry) => {
    const dot = entry.name.lastIndexOf('.')
    const [stem, extension] = dot > 0 ? [entry.name.slice(0, dot), entry.name.slice(dot)] : [entry.name, '']
    let name = entry.name
    for (let turn = 2; taken.has(name); turn += 1) name = `${stem}-${turn}${extension}`
    taken.add(name)
    return { ...entry, name }
  })
}

/** Maximum size of one zip, since it is built in memory; larger downloads are split. */
export const MAX_BATCH_BYTES = 500 * 1024 * 1024

/** Splits a list, in order, into batches of at most this many bytes; a larger item is a batch of its own. */
export function zipBatches<Item extends { bytes: number }>(
  items: readonly Item[],
  maxBytes = MAX_BATCH_BYTES,
): Item[][] {
  const batches: Item[][] = []
  let held = Number.POSITIVE_INFINITY
  for (const item of items) {
    if (held + item.bytes > maxBytes) {
      batches.push([])
      held = 0
    }
    batches.at(-1)?.push(item)
    held += item.bytes
  }
  return batches
}
