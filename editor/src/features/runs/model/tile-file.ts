/** Results without media as text and as files. */

import { layOutData, layoutText, tableRows } from '@/lib/data-layout'
import { contentText } from '@/lib/run/meanings'
import { asText } from '@/lib/run/values'
import type { Tile } from './tiles'

/** A tile without media as text, as it is copied. */
export function tileText({ content, kind, value }: Pick<Tile, 'content' | 'kind' | 'value'>): string {
  if (content) return contentText(content)
  return kind === 'data' ? layoutText(layOutData(value)) : (asText(value) ?? '')
}

/** A tile without media as a file: CSV for a table, which spreadsheets open, else text. */
export function textFile(tile: Pick<Tile, 'content' | 'kind' | 'value'>): {
  text: string
  extension: string
} {
  const { content, kind, value } = tile
  const laid =
    content?.shape === 'shots' ? content.table : kind === 'data' && !content ? layOutData(value) : null
  if (laid?.shape !== 'table') return { text: tileText(tile), extension: 'txt' }
  // Excel reads UTF-8 only with a byte order mark.
  return { text: `\ufeff${tableRows(laid).map(csvLine).join('')}`, extension: 'csv' }
}

/** One line of CSV. A cell that a spreadsheet would run as a formula is marked as text. */
function csvLine(cells: readonly string[]): string {
  const safe = cells.map((cell) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell))
  return `${safe.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`
}
