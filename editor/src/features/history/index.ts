export { ConflictDialog } from './conflict-dialog'
export { HistoryPage } from './history-page'
