import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight, RefreshCw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { EmptyState, Skeleton } from '@/components/surfaces'
import { brandQuery } from '@/lib/api/brand-edits'
import { messageOf } from '@/lib/api/error'
import {
  type Impact,
  impactQuery,
  type Progress,
  quoteQuery,
  regenerate,
  regenerationsQuery,
  type Selection,
} from '@/lib/api/impact'
import { useAttempt, useExclusive, wasRejected } from '@/lib/attempt'
import { useTitle } from '@/lib/browser-hooks'
import { dollars } from '@/lib/format'
import { toastError, toastSuccess } from '@/lib/toasts'
import { BrandError } from './brand-error'
import { ImpactGroupSection } from './impact-group'
import { Regenerations } from './regenerations'

const PAGE = 'mx-auto max-w-308 px-4 pt-5 pb-40 sm:px-6 xl:px-0'
const MAX_CHANGES = 4

type Selected = Record<string, ReadonlySet<string> | 'all'>

/** The assets that a change of a brand affects, what making them again costs, and the result. */
export function ImpactPage({ id }: { id: string }) {
  const { t } = useTranslation(['brands', 'common'])
  const brand = useQuery(brandQuery(id))
  const state = brand.data && `${brand.data.revision}.${brand.data.version}`
  const impact = useQuery({ ...impactQuery(id, state ?? ''), enabled: state !== undefined })
  const made = useInfiniteQuery(regenerationsQuery(id))
  const regenerations = made.data?.pages.flatMap(({ items }) => items) ?? []
  const name = brand.data?.content.name ?? ''
  useTitle(t('brands:impact.panel'))
  const error = brand.error ?? impact.error ?? made.error
  return (
    <div className={PAGE}>
      <nav aria-label={t('brands:impact.breadcrumb')} className="flex items-center gap-1 text-muted text-sm">
        <Link to="/brands" className="rounded-xs hover:text-ink">
          {t('brands:title')}
        </Link>
        <ChevronRight aria-hidden className="size-3.5 shrink-0" />
        {name && (
          <Link
            to="/brands/$brandId"
            params={{ brandId: id }}
            dir="auto"
            className="min-w-0 truncate rounded-xs hover:text-ink"
          >
            {name}
          </Link>
        )}
      </nav>
      {error ? (
        <BrandError
          error={error}
          onRetry={() => void Promise.all([brand, impact, made].map((each) => each.refetch()))}
        />
      ) : impact.data && made.data ? (
        <>
          <Header impact={impact.data} brandId={id} />
          {regenerations.length > 0 && (
            <Regenerations
              brandId={id}
              items={regenerations}
              isLoading={made.isFetchingNextPage}
              onMore={made.hasNextPage ? () => void made.fetchNextPage() : undefined}
            />
          )}
          <Affected key={impact.data.version} impact={impact.data} brandId={id} />
        </>
      ) : (
        <div aria-busy className="mt-2 grid gap-5">
          <Skeleton className="h-10 w-96 max-w-full" />
          <Skeleton className="h-72 rounded-l" />
        </div>
      )}
    </div>
  )
}

function Header({ impact, brandId }: { impact: Impact; brandId: string }) {
  const { t } = useTranslation('brands')
  const more = impact.changes.length - MAX_CHANGES
  return (
    <header>
      <h1 className="mt-1 font-serif text-heading">
        {impact.assets > 0 ? t('impact.title', { count: impact.assets }) : t('impact.panel')}
      </h1>
      {impact.changes.length > 0 && (
        <ul className="mt-2 text-muted">
          {impact.changes.slice(0, MAX_CHANGES).map(({ sentence }) => (
            <li key={sentence} dir="auto" className="break-words">
              {sentence}
            </li>
          ))}
          {more > 0 && <li>{t('impact.moreChanges', { count: more })}</li>}
        </ul>
      )}
      {impact.unknown > 0 && (
        <p className="mt-2 text-muted">{t('impact.unknown', { count: impact.unknown })}</p>
      )}
      {impact.assets > 0 && impact.version === 'draft' && (
        <p className="mt-3 flex flex-wrap items-center gap-3">
          {t('impact.publishFirst')}
          <Button size="sm" asChild>
            <Link to="/brands/$brandId" params={{ brandId }}>
              {t('impact.toBrand')}
            </Link>
          </Button>
        </p>
      )}
    </header>
  )
}

function Affected({ impact, brandId }: { impact: Impact; brandId: string }) {
  const { t } = useTranslation('brands')
  const [selected, setSelected] = useState<Selected>({})
  const number = impact.version === 'draft' ? null : impact.version
  if (impact.assets === 0) {
    return (
      <EmptyState className="mt-6" title={t('impact.none')}>
        {t('impact.noneHelp')}
      </EmptyState>
    )
  }
  const agents = impact.groups.filter(({ flow_id }) => flow_id !== null)
  const count = impact.groups.reduce((sum, { flow_id, assets }) => {
    const of = selected[flow_id ?? '']
    return sum + (of === 'all' ? assets : (of?.size ?? 0))
  }, 0)
  return (
    <>
      {number !== null && (
        <div className="mt-5.5 flex flex-wrap items-center gap-2.5">
          <span className="font-[550]">
            {t('impact.selectedOf', { selected: count, count: impact.assets })}
          </span>
          <Button
            size="sm"
            variant="ghost"
            onClick={() =>
              setSelected(Object.fromEntries(agents.map(({ flow_id }) => [flow_id, 'all' as const])))
            }
          >
            {t('impact.selectAll')}
          </Button>
          <Button size="sm" variant="ghost" onClick={() => setSelected({})}>
            {t('impact.selectNone')}
          </Button>
          <span className="text-muted text-sm">{t('impact.stay')}</span>
        </div>
      )}
      {impact.groups.map((group) => (
        <ImpactGroupSection
          key={group.flow_id}
          brandId={brandId}
          version={String(impact.version)}
          group={group}
          selected={selected[group.flow_id ?? ''] ?? new Set()}
          onSelect={
            number === null
              ? undefined
              : (next) => setSelected((known) => ({ ...known, [group.flow_id ?? '']: next }))
          }
        />
      ))}
      {number !== null && (
        <QuoteBar
          brandId={brandId}
          version={number}
          count={count}
          selection={selectionOf(selected)}
          onStarted={() => setSelected({})}
        />
      )}
    </>
  )
}

function selectionOf(selected: Selected): Selection {
  const entries = Object.entries(selected)
  return {
    flow_ids: entries.filter(([, of]) => of === 'all').map(([id]) => id),
    asset_ids: entries.flatMap(([, of]) => (of === 'all' ? [] : [...of])),
  }
}

type QuoteBarProps = {
  brandId: string
  version: number
  count: number
  selection: Selection
  onStarted: () => void
}

/** What the selected assets cost. It follows each change of the selection. */
function QuoteBar({ brandId, version, count, selection, onStarted }: QuoteBarProps) {
  const { t } = useTranslation('brands')
  const [progress, setProgress] = useState<(Progress & { of: number }) | null>(null)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const { data: quote, error } = useQuery(quoteQuery(brandId, version, selection))
  const attempt = useAttempt()
  const start = useExclusive(async () => {
    const controller = new AbortController()
    stop.current = controller
    const of = count
    let known: Progress = { started: 0, leftOut: 0, reason: null }
    setProgress({ ...known, of })
    try {
      await regenerate(
        brandId,
        version,
        selection,
        (next) => {
          known = next
          setProgress({ ...next, of })
        },
        controller.signal,
        attempt.keyOf({ brandId, version, selection }),
      )
      attempt.done()
      onStarted()
    } catch (failure) {
      if (wasRejected(failure)) attempt.done()
      toastError(t(known.started > 0 ? 'impact.stopped' : 'impact.notStarted'), failure)
    }
    if (known.started > 0) toastSuccess(t('impact.started', { count: known.started }))
    if (known.leftOut > 0)
      toastError(t('impact.leftOut', { count: known.leftOut }), new Error(known.reason ?? ''))
    setProgress(null)
  })
  return (
    <section
      aria-label={t('impact.quote')}
      className="fixed inset-x-0 bottom-0 z-10 border-hairline border-t bg-surface"
    >
      <div className="mx-auto flex max-w-308 flex-wrap items-center gap-x-3.5 gap-y-2 px-4 py-3.5 sm:px-6 xl:px-0">
        <div role="status" className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3.5">
          {progress ? (
            <span className="text-muted text-sm">{t('impact.starting', progress)}</span>
          ) : count > 0 && error ? (
            messageOf(error)
          ) : count > 0 && quote ? (
            <>
              <span className="font-serif text-[30px] leading-none">{dollars(quote.usd)}</span>
              <span className="text-muted text-sm">
                {t('impact.quoteSteps', { count: quote.steps })}
                {Number(quote.usd) > 0 && ` ${t('impact.quoteLimit', { usd: dollars(quote.limit_usd) })}`}
              </span>
            </>
          ) : (
            <span className="text-muted text-sm">{t('impact.choose')}</span>
          )}
        </div>
        {progress && (
          <Button size="lg" variant="ghost" onClick={() => stop.current?.abort()}>
            {t('impact.stop')}
          </Button>
        )}
        <Button
          variant="primary"
          size="lg"
          disabled={count === 0}
          busy={progress !== null}
          onClick={() => void start()}
        >
          <RefreshCw aria-hidden />
          {t('impact.regenerate', { count })}
        </Button>
      </div>
    </section>
  )
}
