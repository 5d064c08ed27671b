/** The room for the media of a card, and the gap between two of them, in pixels of the canvas. */
const ROOM = { width: 208, height: 154 }
const GAP = 6

/** How images of one ratio (width to height) are laid out in a card: as large as they can be, whole, in even columns. */
export function mediaGrid(count: number, ratio: number): { columns: number; width: number } {
  const grids = Array.from({ length: Math.max(1, count) }, (_, at) => {
    const columns = at + 1
    const rows = Math.ceil(count / columns)
    const across = (ROOM.width - GAP * (columns - 1)) / columns
    const down = (ROOM.height - GAP * (rows - 1)) / rows
    return { columns, width: Math.floor(Math.min(across, down * ratio)) }
  })
  return grids.reduce((best, grid) => (grid.width > best.width ? grid : best))
}
