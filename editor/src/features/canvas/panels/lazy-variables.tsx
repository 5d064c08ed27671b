import { lazyPart } from '@/components/lazy-part'
import { useView } from '@/document/use-session'

export const VariablesPanel = lazyPart(() => import('./variables-panel').then((file) => file.VariablesPanel))
const Dialog = lazyPart(() => import('./variables-panel').then((file) => file.VariablesDialog))

/** Loads when it first opens. */
export function VariablesDialog() {
  const isOpen = useView((view) => view.dialog === 'variables')
  return isOpen ? <Dialog /> : null
}
