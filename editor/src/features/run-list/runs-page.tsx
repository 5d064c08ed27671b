import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { History, Sparkle } from 'lucide-react'
import { useCallback } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { EmptyState, Skeleton } from '@/components/surfaces'
import { messageOf } from '@/lib/api/error'
import { deleteRun, type ListedRun, newestRunsQuery, runTotalsQuery } from '@/lib/api/run-list'
import { cancelRun } from '@/lib/api/runs'
import { useHasRendered, useTitle } from '@/lib/browser-hooks'
import { dollars } from '@/lib/format'
import { invalidate } from '@/lib/query-client'
import { toastError } from '@/lib/toasts'
import { withUndo } from '@/lib/with-undo'
import { RunFilters } from './run-filters'
import { RunList } from './run-list'
import { type PageFilters, useRunList } from './use-run-list'

type RunsPageProps = {
  /** Filters are stored in the address, so that Back restores them. */
  filters: PageFilters
  onFilters: (filters: PageFilters) => void
}

/** All launches of the user, newest first. */
export function RunsPage({ filters, onFilters }: RunsPageProps) {
  const { t } = useTranslation('runList')
  useTitle(t('title'))
  const hasRendered = useHasRendered()
  const list = useRunList(filters)
  const isWaiting = list.isPending || !hasRendered
  const { stop, remove } = useRowActions()
  const { fetchNextPage, hasNextPage, isFetchingNextPage, runs } = list
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage])
  return (
    <div className="mx-auto max-w-320 px-4 pt-6 pb-24 sm:px-6 sm:pt-8.5">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1.5">
        <h1 className="flex-1 font-serif text-heading">{t('title')}</h1>
        <Totals />
        <Button variant="primary" asChild>
          <Link to="/">
            <Sparkle aria-hidden />
            {t('newRun')}
          </Link>
        </Button>
      </div>
      <RunFilters value={filters} onChange={onFilters} />
      {isWaiting && <Waiting isOpening={!hasRendered} />}
      {!isWaiting && list.isError && runs.length === 0 && (
        <EmptyState
          className="mt-5"
          title={messageOf(list.error)}
          action={<Button onClick={() => void list.refetch()}>{t('retry', { ns: 'common' })}</Button>}
        />
      )}
      {!isWaiting && list.isSuccess && runs.length === 0 && (
        <NoRuns filtered={Object.values(filters).some(Boolean)} onClear={() => onFilters({})} />
      )}
      {!isWaiting && runs.length > 0 && (
        <RunList
          runs={runs}
          more={hasNextPage && !isFetchingNextPage}
          onMore={more}
          onStop={stop}
          onDelete={remove}
        />
      )}
    </div>
  )
}

function useRowActions() {
  const { t } = useTranslation('runList')
  return {
    stop: ({ id }: ListedRun) =>
      void cancelRun(id)
        .then(() => invalidate({ queryKey: newestRunsQuery({}).queryKey.slice(0, 3) }))
        .catch((error: unknown) => toastError(t('stopFailed'), error)),
    remove: ({ id }: ListedRun) =>
      withUndo({
        ids: [id],
        title: t('deleted'),
        failed: t('deleteFailed'),
        commit: (leaving) => deleteRun(id, leaving),
      }),
  }
}

function Totals() {
  const { t } = useTranslation('runList')
  const { data } = useQuery(runTotalsQuery)
  return (
    // Has its place before the figures are known, so that nothing moves when they arrive.
    <p className="min-h-5 text-muted text-sm max-sm:order-last max-sm:w-full">
      {data && (
        <Trans
          t={t}
          i18nKey="totals"
          values={{ count: data.runs, cost: dollars(data.cost_usd) }}
          components={[<b key="figure" className="font-medium font-mono text-ink" />]}
        />
      )}
    </p>
  )
}

function NoRuns({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const { t } = useTranslation('runList')
  if (!filtered) {
    return (
      <EmptyState className="mt-5" icon={<History />} title={t('empty')}>
        {t('emptyHelp')}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      className="mt-5"
      title={t('emptyFound')}
      action={
        <Button size="sm" onClick={onClear}>
          {t('clear')}
        </Button>
      }
    />
  )
}

function Waiting({ isOpening }: { isOpening: boolean }) {
  return (
    <div aria-busy data-opening={isOpening || undefined} className="mt-5 flex flex-col gap-3">
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places without a content of their own.
        <Skeleton key={index} className="h-15" />
      ))}
    </div>
  )
}
