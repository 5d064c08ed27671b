import { useInfiniteQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { RunChip } from '@/components/chip'
import { Dialog } from '@/components/dialog'
import { EmptyState, Skeleton } from '@/components/surfaces'
import { showRunOrComparison } from '@/document/comparison'
import { useRunner, useSession, useView } from '@/document/use-session'
import { pastRunsQuery, type RunSummary } from '@/lib/api/runs'
import { classes } from '@/lib/classes'
import { ago, dollars, moment, seconds } from '@/lib/format'
import { toastError } from '@/lib/toasts'

/** Lists every run of this agent. */
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

/** Up and Down move between runs, Home and End to the first and the last. */
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

/** A past run: its status, time, version, duration and cost. */
export function RunRow({ run }: { run: RunSummary }) {
  const { t } = useTranslation('canvas')
  const { t: common } = useTranslation('common')
  const show = useShowRun()
  const shown = useRunner((state) => state.run?.id === run.id)
  const version =
    run.version === 'draft' ? t('run.draft') : t('run.version', { number: String(run.version ?? '') })
  const words = {
    number: run.number,
    status: common(`run.${run.status}`),
    version: run.comparison ? t('run.comparison', { title: run.comparison.title }) : version,
    when: ago(run.created_at),
  }
  const measures = [run.seconds !== null && seconds(run.seconds), dollars(run.cost_usd)].filter(Boolean)
  return (
    <li className="border-hairline border-b last:border-b-0">
      <button
        type="button"
        aria-current={shown || undefined}
        aria-label={[t('run.open', words), ...measures].join(', ')}
        onClick={() => show(run.id)}
        className={classes(
          'grid w-full grid-cols-[64px_minmax(96px,auto)_1fr_auto] items-center gap-x-4 rounded-s px-2 py-2.5 text-left hover:bg-sunken max-sm:grid-cols-[64px_1fr_auto]',
          shown && 'bg-sunken',
        )}
      >
        <span className="font-semibold">{t('run.title', { number: run.number })}</span>
        <span>
          <RunChip status={run.status} />
        </span>
        <span
          className="truncate text-muted text-sm max-sm:col-span-3 max-sm:row-start-2 max-sm:pt-0.5"
          title={moment(run.created_at)}
        >
          {run.comparison ? t('run.comparison', { title: run.comparison.title }) : version} ·{' '}
          {ago(run.created_at)}
          {run.error && run.status === 'failed' && <span className="text-faint"> · {run.error.message}</span>}
        </span>
        <span className="text-right font-mono text-[11.5px] text-muted tabular-nums">
          {measures.join(' · ')}
        </span>
      </button>
    </li>
  )
}

const MAX_RUNS = 4

/** The newest runs of this agent, in the run menu. */
export function RecentRuns() {
  const { t } = useTranslation('canvas')
  const { flowId } = useSession()
  const { data } = useInfiniteQuery(pastRunsQuery(flowId))
  const show = useShowRun()
  const runs = data?.pages[0]?.items.slice(0, MAX_RUNS)
  return (
    <section className="border-hairline border-t pt-2.5">
      <h2 className="mb-1 font-semibold text-faint text-xs">{t('run.past')}</h2>
      {runs?.length === 0 && <p className="text-muted text-xs">{t('run.noPast')}</p>}
      <ul className="-mx-1">
        {runs?.map((past) => (
          <li key={past.id}>
            <button
              type="button"
              onClick={() => show(past.id)}
              className="flex w-full items-center gap-2 rounded-s px-2 py-1.5 text-left hover:bg-sunken"
            >
              <span className="flex-1 truncate">
                {t('run.title', { number: past.number })}
                <span className="ml-1.5 text-muted text-xs">
                  {past.comparison && `${t('run.comparison', { title: past.comparison.title })} · `}
                  {ago(past.created_at)}
                </span>
              </span>
              <span className="font-mono text-[11px] text-muted">{dollars(past.cost_usd)}</span>
              <RunChip status={past.status} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Shows a past run on the canvas and in the timeline. */
export function useShowRun(): (id: string) => void {
  const { t } = useTranslation('canvas')
  const session = useSession()
  return (id) => {
    session.view.open(null)
    showRunOrComparison(session, id).catch((error: unknown) => toastError(t('run.failedToOpen'), error))
  }
}
