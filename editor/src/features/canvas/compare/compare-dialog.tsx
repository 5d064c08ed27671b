import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog'
import { lazyPart } from '@/components/lazy-part'
import { Skeleton } from '@/components/surfaces'
import { closeComparison, comparisonRefusal } from '@/document/comparison'
import { useDocument, useSession, useView } from '@/document/use-session'
import { titleOf } from '@/graph/connect'
import { useComparer } from './use-comparer'

const Setup = lazyPart(async () => (await import('./comparison-setup')).ComparisonSetup, <Loading />)
const Results = lazyPart(async () => (await import('./comparison-results')).ComparisonResults, <Loading />)

/** Compares settings of one node: its variants are set up, then run side by side. */
export function CompareDialog() {
  const { t } = useTranslation('compare')
  const session = useSession()
  const comparing = useView((view) => view.comparing)
  const node = useDocument((flow) => flow.nodes.find(({ id }) => id === comparing?.node))
  const run = useComparer((state) => state.run)
  const isRun = comparing?.shows === 'run' && run?.comparison?.node === comparing.node
  const title = node ? titleOf(node, session.catalog) : (run?.comparison?.title ?? '')
  const refusal = node ? comparisonRefusal(session, node) : 'missing'
  return (
    <Dialog
      open={comparing !== null && (isRun || node !== undefined)}
      onOpenChange={(open) => !open && closeComparison(session)}
      title={t(isRun ? 'runTitle' : 'title', { title })}
      {...(!isRun && !refusal && { description: t('text') })}
      size="xl"
    >
      {isRun && <Results />}
      {!isRun && refusal && <p role="alert">{t(`refused.${refusal}`)}</p>}
      {!isRun && !refusal && node && <Setup key={node.id} node={node} />}
    </Dialog>
  )
}

function Loading() {
  const { t } = useTranslation('compare')
  return (
    <div role="status" aria-label={t('loading')} className="grid gap-3 sm:grid-cols-2">
      <Skeleton className="h-48" />
      <Skeleton className="h-48" />
    </div>
  )
}
