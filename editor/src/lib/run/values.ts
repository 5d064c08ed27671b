import { summarizeData } from '../data-layout'
import { humanize } from '../humanize'

/** Values in the JSON of runs: plain data, or a tagged reference to an asset. */
export interface MediaValue {
  readonly $type: 'Image' | 'Video' | 'Audio' | 'File'
  readonly asset_id: string
  readonly media_type?: string
  readonly width?: number | null
  readonly height?: number | null
  readonly seconds?: number | null
  readonly bytes?: number | null
  readonly name?: string | null
}

const KINDS = new Set(['Image', 'Video', 'Audio', 'File'])

export function isMedia(value: unknown): value is MediaValue {
  if (typeof value !== 'object' || value === null) return false
  const { $type, asset_id } = value as Partial<MediaValue>
  return typeof asset_id === 'string' && typeof $type === 'string' && KINDS.has($type)
}

/** Every media value in nested lists and objects. */
export function mediaIn(value: unknown): MediaValue[] {
  if (isMedia(value)) return [value]
  if (Array.isArray(value)) return value.flatMap(mediaIn)
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(mediaIn)
  return []
}

/** The address of the latest picture of an unfinished result among values; it is shown, and is no asset. */
export function sketchIn(values: readonly unknown[]): string | null {
  for (const value of values) {
    const sketch = (value as { sketch?: unknown } | null | undefined)?.sketch
    if (typeof sketch === 'string' && sketch.startsWith('data:image/jpeg;base64,')) return sketch
  }
  return null
}

/** The value as text for the clipboard or a file, objects as JSON; null when it contains media. */
export function asText(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (mediaIn(value).length > 0) return null
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('\n\n')
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : humanize(value)
}

/** The value as text in a small space, objects summarized; null when it contains media. */
export function previewText(value: unknown): string | null {
  if (!isStructured(value)) return asText(value)
  return mediaIn(value).length > 0 ? null : summarizeData(value)
}

/** Whether the value is shown as a table or list rather than as text. */
export function isStructured(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return !(Array.isArray(value) && value.every((item) => typeof item === 'string'))
}
