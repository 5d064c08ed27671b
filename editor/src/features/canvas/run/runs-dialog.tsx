import { useInfiniteQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { EmptyState } from '@/components/empty-state'
import { Skeleton } from '@/components/skeleton'
import { useSession, useView } from '@/document/use-session'
import { pastRunsQuery } from '@/lib/api/runs'
import { RunRow } from './run-row'

/** Every run of this agent, a press away from the canvas. */
export function RunsDialog() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const open = useView((view) => view.dialog === 'runs')
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => session.view.open(next ? 'runs' : null)}
      title={t('run.past')}
      description={t('run.pastText')}
      size="lg"
    >
      <PastRuns />
    </Dialog>
  )
}

function PastRuns() {
  const { t } = useTranslation('canvas')
  const { flowId } = useSession()
  const query = { ...pastRunsQuery(flowId), staleTime: 0 }
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(query)
  const runs = data?.pages.flatMap((page) => page.items)
  if (!runs) return <Loading />
  if (runs.length === 0) {
    return (
      <EmptyState icon={<History />} title={t('run.noPast')}>
        {t('run.noPastText')}
      </EmptyState>
    )
  }
  return (
    <div className="scrollbar-quiet -mx-2 flex max-h-[56vh] flex-col overflow-y-auto px-2">
      <ul aria-label={t('run.past')} onKeyDown={walk} className="flex flex-col">
        {runs.map((past) => (
          <RunRow key={past.id} run={past} />
        ))}
      </ul>
      {hasNextPage && (
        <Button
          size="sm"
          className="mt-3 self-center"
          busy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('run.more')}
        </Button>
      )}
    </div>
  )
}

/** Up and down go from run to run, Home and End to the first and the last. */
function walk(event: React.KeyboardEvent<HTMLUListElement>) {
  const rows = [...event.currentTarget.querySelectorAll('button')]
  const at = rows.indexOf(document.activeElement as HTMLButtonElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  rows[to]?.focus()
}

function Loading() {
  const { t } = useTranslation('canvas')
  return (
    <div role="status" aria-label={t('run.loading')} className="flex flex-col gap-2">
      <Skeleton className="h-11" />
      <Skeleton className="h-11" />
      <Skeleton className="h-11" />
    </div>
  )
}
