import { summarizeData } from '../data-layout'
import { humanize } from '../humanize'
import { mediaIn } from './media-values'

/** The URL of the latest preview image of an unfinished result among values; it is shown, and is no asset. */
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

/** The one of `values`, the outputs of a step, that a text among them repeats as JSON; undefined if it repeats none. */
export function dataRepeatedBy(text: unknown, values: readonly unknown[]): unknown {
  const data = values.filter(isStructured)
  if (typeof text !== 'string' || !/^[[{]/.test(text) || data.length === 0) return undefined
  try {
    const read = JSON.stringify(JSON.parse(text))
    return data.find((value) => JSON.stringify(value) === read)
  } catch {
    return undefined
  }
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
