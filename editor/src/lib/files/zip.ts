import { downloadZip } from 'client-zip'

export interface ZipEntry {
  name: string
  data: Uint8Array<ArrayBuffer>
  /** Content credentials that belong beside the file. */
  sidecar?: Uint8Array<ArrayBuffer> | null
}

/** What the name of a file has after it in that of its content credentials. */
const SIDECAR_SUFFIX = '.c2pa'

/** Creates a zip of files. Entries are stored uncompressed, since media is compressed already. */
export function zip(entries: readonly ZipEntry[], lastModified = new Date()): Promise<Blob> {
  const files = withUniqueNames(entries).flatMap(({ name, data, sidecar }) => [
    { name, input: data, lastModified },
    ...(sidecar ? [{ name: `${name}${SIDECAR_SUFFIX}`, input: sidecar, lastModified }] : []),
  ])
  return downloadZip(files).blob()
}

/** Makes names unique: two files `name.png` become `name.png` and `name-2.png`. */
export function withUniqueNames(entries: readonly ZipEntry[]): ZipEntry[] {
  const taken = new Set<string>()
  return entries.map((entry) => {
    const dot = entry.name.lastIndexOf('.')
    const [stem, extension] = dot > 0 ? [entry.name.slice(0, dot), entry.name.slice(dot)] : [entry.name, '']
    let name = entry.name
    for (let number = 2; taken.has(name); number += 1) name = `${stem}-${number}${extension}`
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
