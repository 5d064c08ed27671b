import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { RunChip } from '@/components/chip'
import { useSession } from '@/document/use-session'
import { pastRunsQuery } from '@/lib/api/runs'
import { ago, dollars } from '@/lib/format'
import { useShowRun } from './use-show-run'

const MAX_RUNS = 4

/** The newest runs of this agent, at hand. */
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
                <span className="ml-1.5 text-muted text-xs">{ago(past.created_at)}</span>
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
