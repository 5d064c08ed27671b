/** JSON laid out for reading: an array of alike objects is a table, an object a list of facts. */

export type Laid =
  | { shape: 'table'; columns: string[]; rows: string[][] }
  | { shape: 'facts'; facts: [name: string, value: string][] }
  | { shape: 'list'; items: string[] }
  | { shape: 'plain'; text: string }

type Row = Record<string, unknown>

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)) {
    return value.map(cell).join(', ')
  }
  return JSON.stringify(value)
}

export function layOut(value: unknown): Laid {
  if (Array.isArray(value)) {
    return value.length > 0 && value.every(isObject)
      ? tableOf(value)
      : { shape: 'list', items: value.map(cell) }
  }
  if (!isObject(value)) return { shape: 'plain', text: cell(value) }
  const entries = Object.entries(value)
  const [only] = entries
  if (entries.length === 1 && Array.isArray(only?.[1])) return layOut(only[1])
  return { shape: 'facts', facts: entries.map(([name, held]) => [name, cell(held)]) }
}

function tableOf(rows: readonly Row[]): Laid {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return {
    shape: 'table',
    columns,
    rows: rows.map((row) => columns.map((column) => cell(row[column]))),
  }
}

/** `shot_list` reads `Shot list`. */
export function columnTitle(name: string): string {
  const words = name.replace(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
