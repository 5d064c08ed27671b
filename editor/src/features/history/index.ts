export { ConflictDialog, HistoryPage, loadHistory } from './lazy-history'
