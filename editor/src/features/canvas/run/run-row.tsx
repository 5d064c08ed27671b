import { useTranslation } from 'react-i18next'
import { RunChip } from '@/components/chip'
import { useRunner } from '@/document/use-session'
import type { RunSummary } from '@/lib/api/runs'
import { classes } from '@/lib/classes'
import { ago, dollars, moment, seconds } from '@/lib/format'
import { useShowRun } from './use-show-run'

/** A run that was: how it went, when, of which version, how long and for how much. */
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
    version,
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
          {version} · {ago(run.created_at)}
          {run.error && run.status === 'failed' && <span className="text-faint"> · {run.error.message}</span>}
        </span>
        <span className="text-right font-mono text-[11.5px] text-muted tabular-nums">
          {measures.join(' · ')}
        </span>
      </button>
    </li>
  )
}
