/** Edits of table rows. */

export type Row = Readonly<Record<string, unknown>>

export function rowsOf(value: unknown): readonly Row[] {
  if (!Array.isArray(value)) return []
  return value.filter((row): row is Row => typeof row === 'object' && row !== null && !Array.isArray(row))
}

/** The columns of the schema, then those of the rows. */
export function columnsOf(known: readonly string[], rows: readonly Row[]): string[] {
  return [...new Set([...known, ...rows.flatMap((row) => Object.keys(row))])]
}

/** Renames a column in every row, keeping its position. */
export function renameColumn(rows: readonly Row[], from: string, to: string): Row[] {
  const renamed = (row: Row) => Object.entries(row).map(([name, cell]) => [name === from ? to : name, cell])
  return rows.map((row) => Object.fromEntries(renamed(row)) as Row)
}

export function removeColumn(rows: readonly Row[], column: string): Row[] {
  return rows.map(({ [column]: _, ...rest }) => rest)
}

/** Pastes tab-separated lines, as spreadsheets copy them, over the table from one cell on. */
export function paste(
  rows: readonly Row[],
  columns: readonly string[],
  from: { readonly row: number; readonly column: number },
  text: string,
): Row[] {
  const lines = text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => line.split('\t'))
  const wide = Math.max(...lines.map((line) => line.length))
  const names = named(columns, from.column + wide)
  const next = [...rows]
  for (const [at, cells] of lines.entries()) {
    const laid = cells.map((cell, place) => [names[from.column + place], cell])
    const empty = Object.fromEntries(names.map((name) => [name, '']))
    next[from.row + at] = { ...empty, ...next[from.row + at], ...Object.fromEntries(laid) }
  }
  return next
}

/** Extends the names to at least this many with numbered ones. */
function named(columns: readonly string[], count: number): string[] {
  const names = [...columns]
  while (names.length < count) names.push(`Column ${names.length + 1}`)
  return names
}
