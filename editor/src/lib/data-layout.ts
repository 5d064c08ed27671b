import { countItems, humanize } from './humanize'

/** Layout of structured data for display: an array of objects is a table, an object rows of label and value. */

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

/** The members of an object without the tag of its value type. */
function entriesOf(row: Row): [name: string, value: unknown][] {
  return Object.entries(row).filter(([name]) => name !== '$type')
}

/** A value in one cell; an object as "Name: value, …". */
export function cellText(value: unknown): string {
  if (Array.isArray(value)) return value.map(cellText).filter(Boolean).join(', ')
  if (!isObject(value)) return typeof value === 'string' ? value : humanize(value)
  return entriesOf(value)
    .map(([name, member]) => [columnTitle(name), cellText(member)] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}: ${text}`)
    .join(', ')
}

/** Deeper values are one line of text, since nested tables become unreadable. */
const MAX_DEPTH = 4

export function layOutData(value: unknown, depth = 0): DataLayout {
  if (Array.isArray(value)) {
    return value.length > 0 && value.every(isObject)
      ? tableOf(value, depth)
      : { shape: 'list', items: value.map((item) => inner(item, depth)) }
  }
  if (!isObject(value)) return { shape: 'plain', text: cellText(value) }
  const entries = entriesOf(value)
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
  const columns = [...new Set(rows.flatMap((row) => entriesOf(row).map(([name]) => name)))]
  return {
    shape: 'table',
    columns,
    rows: rows.map((row) => columns.map((column) => inner(row[column], depth))),
  }
}

/** Formats `shot_list` and `shotList` as `Shot list`. */
export function columnTitle(name: string): string {
  const words = name
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z0-9])([A-Z])(?=[a-z])/g, (_, before, letter) => `${before} ${letter.toLowerCase()}`)
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A layout as text: a table with tabs between its cells, which spreadsheets read, facts as "Name: value". */
export function layoutText(laid: DataLayout): string {
  return laid.shape === 'table'
    ? tableRows(laid)
        .map((row) => row.join('\t'))
        .join('\n')
    : linesOf(laid)
}

/** The heading and the rows of a table; a nested value is one line of text. */
export function tableRows(laid: Extract<DataLayout, { shape: 'table' }>): string[][] {
  return [laid.columns.map(columnTitle), ...laid.rows.map((row) => row.map(lineOf))]
}

function linesOf(laid: DataLayout): string {
  if (laid.shape === 'plain') return laid.text
  if (laid.shape === 'list') return laid.items.map(lineOf).join('\n')
  if (laid.shape === 'table') return layoutText(laid)
  return laid.facts.map(([name, cell]) => `${columnTitle(name)}: ${factText(cell)}`).join('\n')
}

function factText(cell: Cell): string {
  if (typeof cell === 'string') return cell
  return cell.shape === 'table' ? `\n${layoutText(cell)}` : lineOf(cell)
}

/** A cell as one line of text. */
export function lineOf(cell: Cell): string {
  return typeof cell === 'string'
    ? cell
    : linesOf(cell)
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
        .join(', ')
        .replaceAll('\t', ' ')
}

/** Data as a few lines for a small preview: "Title: Reel", "Shots: 3 items". */
export function summarizeData(value: unknown): string {
  if (Array.isArray(value)) return value.map(summarizeItem).filter(Boolean).join('\n')
  if (!isObject(value)) return cellText(value)
  const entries = entriesOf(value)
  const [only] = entries
  if (entries.length === 1 && Array.isArray(only?.[1])) return summarizeData(only[1])
  return entries
    .map(([name, member]) => [columnTitle(name), summarizeMember(member)] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}: ${text}`)
    .join('\n')
}

function summarizeItem(value: unknown): string {
  if (!isObject(value)) return cellText(value)
  return entriesOf(value)
    .map(([, member]) => summarizeMember(member))
    .filter(Boolean)
    .join(', ')
}

function summarizeMember(value: unknown): string {
  const hasObjects = Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null)
  return hasObjects ? countItems(value.length) : cellText(value)
}
