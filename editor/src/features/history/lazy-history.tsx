import { lazyPart } from '@/components/lazy-part'
import { useSaving } from '@/document/use-session'

const load = () => import('./history-on-demand')

export const HistoryPage = lazyPart(
  async () => (await load()).HistoryPage,
  <main aria-busy="true" className="fixed inset-0 bg-paper" />,
)
const Conflict = lazyPart(async () => (await load()).ConflictDialog)

/** Loads the code of the history and of conflicts, which then open at once, also without a connection. */
export const loadHistory = () => Promise.all([HistoryPage.preload(), Conflict.preload()])

/** Asks about an edit conflict, while there is one. */
export function ConflictDialog() {
  const hasConflict = useSaving(({ status }) => status === 'conflict')
  return hasConflict ? <Conflict /> : null
}
