/** Layout of JSON values for display: an array of objects is a table, an object a list of facts. */

export type DataLayout =
  | { shape: 'table'; columns: string[]; rows: Cell[][] }
  | { shape: 'facts'; facts: [name: string, value: Cell][] }
  | { shape: 'list'; items: Cell[] }
  | { shape: 'plain'; text: string }

/** Text, or a nested layout. */
export type Cell = string | DataLayout

type Row = Record<string, unknown>

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)) {
    return value.map(cellText).join(', ')
  }
  return JSON.stringify(value)
}

/** Deeper values are written as JSON, since nested tables become unreadable. */
const MAX_DEPTH = 4

export function layOutData(value: unknown, depth = 0): DataLayout {
  if (Array.isArray(value)) {
    return value.length > 0 && value.every(isObject)
      ? tableOf(value, depth)
      : { shape: 'list', items: value.map((item) => inner(item, depth)) }
  }
  if (!isObject(value)) return { shape: 'plain', text: cellText(value) }
  const entries = Object.entries(value)
  const [only] = entries
  if (entries.length === 1 && Array.isArray(only?.[1])) return layOutData(only[1], depth)
  return { shape: 'facts', facts: entries.map(([name, held]) => [name, inner(held, depth)]) }
}

function inner(value: unknown, depth: number): Cell {
  const nested = isObject(value) || (Array.isArray(value) && value.some((item) => typeof item === 'object'))
  const empty = nested && Object.keys(value as object).length === 0
  return nested && !empty && depth < MAX_DEPTH ? layOutData(value, depth + 1) : cellText(value)
}

function tableOf(rows: readonly Row[], depth: number): DataLayout {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return {
    shape: 'table',
    columns,
    rows: rows.map((row) => columns.map((column) => inner(row[column], depth))),
  }
}

/** Formats `shot_list` as `Shot list`. */
export function columnTitle(name: string): string {
  const words = name.replace(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
