import { CARD_WIDTH, MEDIA_HEIGHT } from '@/graph/card-size'

/** The space beside the content of a card on each side, and the gap between two images, in pixels of the canvas. */
const PADDING = 12
const GAP = 6
const ROOM = { width: CARD_WIDTH - 2 * PADDING, height: MEDIA_HEIGHT }

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
