import { Link } from '@tanstack/react-router'
import { CircleAlert, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Meter } from '@/components/meter'
import type { LimitUsage } from '@/lib/api/usage'
import { classes } from '@/lib/classes'
import { inUnit } from '@/lib/format'
import { type Level, levelOf, resetTime } from './levels'

const BAR: Record<Level, string> = { free: 'bg-ink', near: 'bg-ochre', reached: 'bg-madder' }
const TEXT: Record<Level, string> = {
  free: 'text-muted',
  near: 'text-ochre-text',
  reached: 'text-madder-text',
}

/** The page on which the user can free what a limit counts. */
const REMEDY_PAGE: Partial<Record<LimitUsage['name'], '/library' | '/flow'>> = {
  stored_bytes: '/library',
  assets: '/library',
  agents: '/flow',
}

/** One limit: its name, its use as figures and as a meter, and close to the limit what to do. */
export function UsageRow({ usage }: { usage: LimitUsage }) {
  const { t } = useTranslation('usage')
  const { name, unit, used, limit, resets_at } = usage
  const level = levelOf(usage)
  const label = t(`limits.${name}.label`)
  const figures = t('of', { used: inUnit(used, unit), limit: inUnit(limit, unit) })
  const page = REMEDY_PAGE[name]
  const Icon = level === 'reached' ? CircleAlert : TriangleAlert
  return (
    <li className="flex flex-col gap-1.5 py-2.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h4 className="font-semibold text-sm">{label}</h4>
        <span className="font-mono text-[11.5px] text-muted">{figures}</span>
      </div>
      <Meter label={label} value={Number(used)} max={Number(limit)} text={figures} bar={BAR[level]} />
      {(level !== 'free' || resets_at) && (
        <p className={classes('flex items-start gap-1.5 text-xs', TEXT[level])}>
          {level !== 'free' && <Icon aria-hidden className="mt-px size-3.5 shrink-0" />}
          <span>
            {level !== 'free' && `${t(level)} ${t(`limits.${name}.remedy`)} `}
            {page && level !== 'free' && (
              <Link to={page} className="underline underline-offset-2">
                {t(page === '/library' ? 'openLibrary' : 'openAgents')}
              </Link>
            )}
            {resets_at && t('resets', { time: resetTime(resets_at) })}
          </span>
        </p>
      )}
    </li>
  )
}
