/** One file of code, which loads after the canvas. */
export { ConflictDialog } from './conflict-dialog'
export { HistoryPage } from './history-page'
